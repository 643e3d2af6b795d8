import { describe, expect, it } from 'vitest';
import { buildCatalog, type Catalog } from '../../../../datasets/catalog.ts';
import type { ConfidenceRule } from '../../../../datasets/dataset.ts';
import { accuracyOf, doubtOfEdge } from '../../../../query/evaluate/accuracy.ts';
import { withBothEnds } from '../../../../query/evaluate/edge/both-ends.ts';
import {
  accuracyAt,
  certaintyOf,
  farFromEdges,
  nearestChange,
  plainly,
  reachOf,
  stepped,
  withCertainty,
} from '../../../../query/evaluate/edge/certainty.ts';
import { withNear } from '../../../../query/evaluate/edge/near-area.ts';
import type { Ground } from '../../../../query/evaluate/edge/surroundings.ts';
import { absent, type Finding, failed, found, type NearKey } from '../../../../query/evaluate/finding.ts';
import type { LayerAt } from '../../../../query/release/coverage.ts';

import { catalog, ctxOf, EDGE, HIGH, MEDIUM, parcels, partition, rule, source, zones } from './zones.ts';

describe('the accuracy of a source', () => {
  it('is that of the file, else of the layer, else stated by nobody', () => {
    expect(accuracyOf(catalog, source(), partition())).toBe(12);
    expect(accuracyOf(catalog, source(), partition('p', { accuracyM: 3 }))).toBe(3);
    expect(accuracyOf(catalog, source('vague'), partition())).toBeNull();
    expect(accuracyOf(catalog, source('grid'), partition())).toBeNull();
  });

  it('at a point is the worst of those that map it', () => {
    const at = (...accuracies: (number | undefined)[]) =>
      ({
        covering: accuracies.map(accuracyM => partition('p', accuracyM === undefined ? {} : { accuracyM })),
      }) as unknown as LayerAt;
    expect(accuracyAt(at(3, 40, undefined), ctxOf(), source())).toBe(40);
    expect(accuracyAt(at(3, undefined), ctxOf(), source())).toBe(12);
    expect(accuracyAt(at(undefined), ctxOf(), source('vague'))).toBeNull();
    expect(accuracyAt(at(7, undefined), ctxOf(), source('vague'))).toBe(7);
  });

  it('makes edges matter within twice of it, fifty meters where nobody states any, or as far as the rule asks', () => {
    expect([doubtOfEdge(12), doubtOfEdge(null)]).toEqual([24, 50]);
    expect([reachOf(null, 12), reachOf(EDGE, 12), reachOf(EDGE, 20), reachOf(HIGH, null)]).toEqual([24, 30, 40, 50]);
  });
});

describe('certainty beside an edge', () => {
  const what = () => 'ground where it is X (zone)';
  const at = (metres: number, accuracy: number | null = 12, by: ConfidenceRule | null = HIGH) =>
    certaintyOf(by, accuracy, metres, what);

  it('is low within the accuracy, medium within twice it, and the rule’s beyond', () => {
    expect(at(12)).toEqual({
      confidence: 'low',
      atEdge: 'low',
      note: '12.0 m from ground where it is X (zone), while the source is accurate to 12 m',
    });
    expect(at(12.1)).toMatchObject({ confidence: 'medium', atEdge: 'medium', note: expect.stringMatching(/^12\.1 m/) });
    expect(at(24)).toMatchObject({ confidence: 'medium', atEdge: 'medium' });
    expect(at(24.1)).toEqual({ confidence: 'high', note: null, atEdge: null });
    expect(at(24.1, 12, EDGE)).toEqual({ confidence: 'medium', note: null, atEdge: null });
    expect(at(30.1, 12, EDGE)).toEqual({ confidence: 'high', note: null, atEdge: null });
    expect(at(13, 12, rule({ kind: 'const', level: 'low' }))).toMatchObject({ confidence: 'low', atEdge: 'medium' });
  });

  it('is medium within fifty meters where nobody states an accuracy', () => {
    expect(at(0.4, null)).toEqual({
      confidence: 'medium',
      atEdge: 'medium',
      note: '0 m from ground where it is X (zone), while nobody states how accurate the source is',
    });
    expect([at(50, null).atEdge, at(50.1, null).atEdge]).toEqual(['medium', null]);
  });

  it('tells distances in steps of the accuracy, and in kilometers from one on', () => {
    expect([stepped(3.14, 12), stepped(3.14, 0.5), stepped(3.16, null)]).toEqual([3.1, 3.1, 3]);
    expect([stepped(123.4, 1_000), stepped(126, 1_000), stepped(123.4, 100), stepped(1_949, 10_000)]).toEqual([
      120, 130, 123, 1_900,
    ]);
    expect(at(123.4, 500).note).toBe('123 m from ground where it is X (zone), while the source is accurate to 500 m');
    expect(at(999.6, 1_000).note).toMatch(/^1 km from .* accurate to 1 km$/);
    expect(at(1_540, 2_500).note).toMatch(/^1\.54 km from .* accurate to 2\.5 km$/);
    expect(at(985, 999).note).toMatch(/^985 m from .* accurate to 999 m$/);
  });

  it('without anything known of edges is the rule’s', () => {
    expect(plainly(EDGE)).toEqual({ confidence: 'medium', note: null, atEdge: null });
    expect([farFromEdges(EDGE), farFromEdges(MEDIUM)]).toEqual(['high', 'medium']);
  });

  it('goes by the nearest ground of which something else is said', () => {
    const grounds = (...answers: string[]) => ({
      at: (place: number) =>
        answers[place] === undefined ? null : ({ metres: place, found: [answers[place]] } as unknown as Ground),
    });
    const same = (list: readonly unknown[]) => list[0] === 'A';
    expect(nearestChange(grounds('A', 'A', 'B', 'C'), same as never)?.metres).toBe(2);
    expect(nearestChange(grounds('A', 'A'), same as never)).toBeNull();
    expect(nearestChange(grounds(), same as never)).toBeNull();
  });
});

describe('a finding with what edges allow', () => {
  const near = { confidence: 'medium', note: '3 m from something', atEdge: 'low' } as const;
  const value: Finding = { ...found('AE', 'high', [], ['of the place']), notes: ['of the place'] };

  it('has the note before others, and after the reason of an absence', () => {
    expect(withCertainty(value, near)).toEqual({
      ...value,
      confidence: 'medium',
      atEdge: 'low',
      notes: ['3 m from something', 'of the place'],
    });
    const none = { ...absent('there is none', 'high', []), notes: ['there is none', 'of the place'] };
    expect(withCertainty(none, near).notes).toEqual(['there is none', '3 m from something', 'of the place']);
  });

  it('is never surer than it was, and the same object where nothing changes', () => {
    expect(withCertainty({ ...value, confidence: 'low' }, near).confidence).toBe('low');
    expect(withCertainty(value, { confidence: 'high', note: null, atEdge: null })).toBe(value);
    expect(withCertainty(value, { confidence: 'medium', note: null, atEdge: null })).toEqual({
      ...value,
      confidence: 'medium',
    });
  });
});

describe('a distance', () => {
  const seven: Finding = found(7, 'high', []);
  const of = (metres: number, layer = 'main', accuracyM?: number, from: Catalog = catalog) =>
    withBothEnds(
      ctxOf(from),
      source(layer),
      partition('p', accuracyM === undefined ? {} : { accuracyM }),
      metres,
      seven,
    );

  it('is low within what both ends are off together, and medium within twice that', () => {
    expect(of(13)).toMatchObject({
      confidence: 'low',
      atEdge: 'low',
      notes: ['the distance is accurate to 13 m: the source to 12 m and parcels to 5 m'],
    });
    expect(of(13.1)).toMatchObject({ confidence: 'medium', atEdge: 'medium' });
    expect(of(26)).toMatchObject({ confidence: 'medium' });
    expect(of(26.1)).toBe(seven);
    expect(of(5, 'main', 1).notes[0]).toContain('accurate to 5.1 m: the source to 1 m');
  });

  it('is whole where something is met, and medium within fifty meters where nobody states an accuracy', () => {
    expect(of(0)).toBe(seven);
    expect(of(50, 'vague')).toMatchObject({
      confidence: 'medium',
      notes: ['the distance is short, while nobody states how accurate the source is'],
    });
    expect(of(50.1, 'vague')).toBe(seven);
  });

  it('counts parcels as exact where nothing is said of them', () => {
    for (const other of [buildCatalog([zones]), buildCatalog([zones, parcels()])])
      expect(of(12, 'main', undefined, other).notes[0]).toContain(
        'accurate to 12 m: the source to 12 m and parcels to 0 m',
      );
  });
});

describe('an answer for an area', () => {
  const own: Finding = found('A', 'high', []);
  const key = (metres: number, of: string | null, what = `area ${of}`): NearKey => ({
    what,
    key: of,
    metres,
    accuracy: 12,
  });
  const answers: Readonly<Record<string, Finding>> = {
    same: found('A', 'low', []),
    other: found('B', 'high', []),
    none: absent('there is none', 'high', []),
  };
  const ask = async (near: readonly NearKey[] | undefined, of: Finding = own) =>
    withNear(of, near, HIGH, name => {
      if (name === 'fault') throw new Error('no file');
      return answers[name]!;
    });

  it('is as sure as the nearest area with another answer allows', async () => {
    expect(await ask([key(2, 'same'), key(5, 'other'), key(13, 'none')])).toMatchObject({
      value: 'A',
      confidence: 'low',
      notes: ['5.0 m from area other, while the source is accurate to 12 m'],
    });
    expect(await ask([key(13, 'none'), key(2, 'other')])).toMatchObject({ confidence: 'medium' });
    expect(await ask([key(2, 'same')])).toBe(own);
    expect(await ask([])).toBe(own);
    expect(await ask(undefined)).toBe(own);
  });

  it('is unsure beside ground of no area, unless it is none itself', async () => {
    expect(await ask([key(5, null, 'no area')])).toMatchObject({
      confidence: 'low',
      notes: [/* said of it */ expect.stringContaining('no area')],
    });
    const none = absent('there is none', 'high', []);
    expect(await ask([key(5, null), key(6, 'none')], none)).toBe(none);
    expect(await ask([key(5, null), key(6, 'other')], none)).toMatchObject({ status: 'absent', confidence: 'low' });
  });

  it('takes what fails of another area for another answer, and leaves what fails itself', async () => {
    expect(await ask([key(5, 'fault')])).toMatchObject({ status: 'ok', confidence: 'low' });
    const none = absent('there is none', 'high', []);
    expect(await ask([key(5, 'fault')], none)).toMatchObject({ status: 'absent', confidence: 'low' });
    const fault = failed(new Error('no file'));
    expect(await ask([key(5, 'other')], fault)).toBe(fault);
  });
});
