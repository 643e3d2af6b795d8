import { describe, expect, it } from 'vitest';
import type { ConfidenceRule } from '../../../../datasets/dataset.ts';
import type { Expression } from '../../../../datasets/grammar/expression.ts';
import type { Partition } from '../../../../datasets/release.ts';
import type { Context } from '../../../../query/evaluate/context.ts';
import { coverageEdge, reachAbout, upToEdge, withinEdge } from '../../../../query/evaluate/edge/coverage-edge.ts';
import { excludedOf, isExcluded, panelsOf, unmapped, unmappedEdge } from '../../../../query/evaluate/edge/mapped.ts';
import { absent, type Finding, found } from '../../../../query/evaluate/finding.ts';
import type { Hit, Search } from '../../../../query/evaluate/vector/vector-search.ts';
import { distance } from '../../../../query/geometry/geodesic.ts';
import type { LayerAt } from '../../../../query/release/coverage.ts';
import { PartitionSet } from '../../../../query/release/lists/partition-set.ts';

import { ctxOf, EDGE, partition, source } from './zones.ts';

/** A partition that holds all within a box, also beyond its coverage. */
const holding = (reach: readonly number[] | null, place = 'somewhere') =>
  partition(place, { ...(reach ? { reach } : {}) } as Partial<Partition>);
const [EAST, NORTH] = [distance(10, 40, 10.01, 40) * 100, distance(10, 40, 10, 40.01) * 100];
describe('ground that a layer does not map', () => {
  it('is said by its own polygon, or by panels that a call names', () => {
    const hit = (zone: string) => ({ feature: { properties: { FLD_ZONE: zone } } }) as unknown as Hit;
    const left = hit('AREA NOT INCLUDED');
    expect([isExcluded({ FLD_ZONE: 'AREA NOT INCLUDED' }), isExcluded({ FLD_ZONE: 'X' }), isExcluded({})]).toEqual([
      true,
      false,
      false,
    ]);
    expect(excludedOf([hit('X'), left])).toBe(left);
    expect(excludedOf([hit('X')])).toBeNull();
    const panels = (coverage?: string) =>
      panelsOf({ options: coverage === undefined ? {} : { coverage } } as unknown as Expression);
    expect(panels()).toBeNull();
    expect(panels('fema:panels')).toEqual({ dataset: 'fema', layer: 'panels', where: null });
    expect(panels('fema')).toEqual({ dataset: 'fema', layer: 'main', where: null });
  });
});

describe('the edge of a coverage beyond which all is held for some meters', () => {
  const here = { ...ctxOf(), point: { lng: 10, lat: 40 } } as Context;
  const at = (...covering: Partition[]) => ({ covering }) as unknown as LayerAt;
  /** As far as a thousandth of a degree to the west, where its box ends first. */
  const near = holding([9.999, 39, 11, 41]);
  const metres = reachAbout([near], [10, 40, 10, 40])!;

  it('is as far as the farthest of those that map the place hold all of it', () => {
    expect(metres / EAST).toBeCloseTo(0.001, 4);
    expect(reachAbout([near, holding([9.99, 39, 11, 41])], [10, 40, 10, 40])).toBeCloseTo(EAST / 100, -2);
    expect(reachAbout([holding([9.99, 39, 11, 41]), near], [10, 40, 10, 40])).toBeCloseTo(EAST / 100, -2);
    expect(reachAbout([], [10, 40, 10, 40])).toBeNull();
    expect(reachAbout([near, holding(null)], [10, 40, 10, 40])).toBeNull();
  });

  it('of a box is that of its nearest corner', () => {
    const of = (west: number, south: number, east: number, north: number) =>
      reachAbout([holding([9, 39, 11, 41])], [west, south, east, north])!;
    expect(of(10.9, 40, 10.99, 40.1)).toBeCloseTo(EAST / 100, -2);
    expect(of(9.01, 40, 9.1, 40.1)).toBeCloseTo(EAST / 100, -2);
    expect(of(10, 39.01, 10.1, 39.1)).toBeCloseTo(NORTH / 100, -2);
    expect(of(10, 40.9, 10.1, 40.99)).toBeCloseTo(NORTH / 100, -2);
  });

  it('is none where it is no nearer than is asked', async () => {
    const edge = (limit: number) => coverageEdge(here, source(), at(near), () => limit);
    expect([await edge(metres + 1), await edge(metres), await edge(metres - 1)]).toEqual([metres, Infinity, Infinity]);
  });

  const seven: Finding = { ...found(7, 'high', []), notes: ['of the place'] };
  const none: Finding = { ...absent('there is none', 'high', []), notes: ['there is none', 'of the place'] };

  it('makes what was counted beyond it unsure', async () => {
    const count = (of: number, finding: Finding) => withinEdge(here, source(), at(near), of, finding);
    expect(await count(999, seven)).toEqual({
      ...seven,
      confidence: 'low',
      notes: ['the coverage of zones ends nearer than 999 m, and nothing beyond it is counted', 'of the place'],
    });
    expect((await count(1_000, seven)).notes[0]).toContain('nearer than 1 km,');
    expect(await count(metres, seven)).toBe(seven);
    expect(await count(999, none)).toBe(none);
  });

  it('makes what was found beyond it an upper bound, or nothing, and an absence unsure', async () => {
    const upTo = (finding: Finding, is: string | null, far = 999) =>
      upToEdge(here, source(), { at: at(near) } as Search, () => far, finding, is);
    const ends = 'the coverage of zones ends nearer than';
    expect(await upTo(seven, 'this is an upper bound')).toEqual({
      ...seven,
      confidence: 'low',
      notes: [`${ends} what was found, so this is an upper bound`, 'of the place'],
    });
    expect(await upTo(seven, null)).toEqual({
      ...seven,
      status: 'absent',
      value: null,
      confidence: 'low',
      notes: [`${ends} what was found, so another may be the nearest`, 'of the place'],
    });
    for (const is of ['this is an upper bound', null])
      expect(await upTo(none, is)).toEqual({
        ...none,
        confidence: 'low',
        notes: ['there is none', `${ends} that, and beyond it nothing is known`, 'of the place'],
      });
    expect(await upTo(seven, null, metres)).toBe(seven);
  });

  it('is where a layer ends to map, as far as edges matter', async () => {
    const edge = (accuracyM: number, by: ConfidenceRule | null = null) => {
      const close = { ...holding([9.9999, 39, 11, 41]), accuracyM };
      return unmappedEdge(here, source(), { at: at(close) } as Search, by);
    };
    const close = reachAbout([holding([9.9999, 39, 11, 41])], [10, 40, 10, 40])!;
    expect(close).toBeCloseTo(8.5, 1);
    expect([await edge(5), await edge(4), await edge(0), await edge(0, EDGE)]).toEqual([
      close,
      Infinity,
      Infinity,
      close,
    ]);
  });
});

describe('panels that say where a layer maps', () => {
  const hit = (zone: string) => ({ feature: { properties: { FLD_ZONE: zone } } }) as unknown as Hit;
  const panels = source('vague');
  /** A point where panels are installed for some places; null for nowhere. */
  const ctxOver = (places: readonly string[] | null) => {
    const at = {
      covering: (places ?? []).map(place => partition(place)),
      searched: PartitionSet.from([]),
    } as unknown as LayerAt;
    return {
      ...ctxOf(),
      point: { lng: 10, lat: 40 },
      memo: (_: string, compute: () => unknown) => compute(),
      layers: {
        release: { layer: () => (places ? {} : null) },
        at() {
          if (!places) throw new Error('the layer is not installed');
          return at;
        },
      },
    } as unknown as Context;
  };
  const ask = (own: Hit[], within: Hit[], places: readonly string[] | null) => {
    const ctx = ctxOver(places);
    const search = { at: { covering: [partition('here'), partition('there')] } } as unknown as Search;
    return unmapped(
      ctx,
      source(),
      search,
      panels,
      () => own,
      () => within,
    );
  };

  it('leave out what no panel holds, where they are installed for the place', async () => {
    const any = hit('X');
    expect(await ask([any], [], ['there'])).toBe('panel');
    expect(await ask([any], [], ['elsewhere', 'here'])).toBe('panel');
    expect(await ask([any], [any], ['here'])).toBeNull();
    expect(await ask([any], [], ['elsewhere'])).toBeNull();
    expect(await ask([any], [], null)).toBeNull();
  });

  it('have no edge where they are not installed for the place', async () => {
    const close = { ...holding([9.9999, 39, 11, 41], 'here'), accuracyM: 5 };
    const search = { at: { covering: [close] } } as unknown as Search;
    const own = reachAbout([close], [10, 40, 10, 40]);
    expect(await unmappedEdge(ctxOver(null), source(), search, null, panels)).toBe(own);
    expect(await unmappedEdge(ctxOver(['elsewhere']), source(), search, null, panels)).toBe(own);
  });

  it('give way to a polygon that says so itself', async () => {
    const left = hit('AREA NOT INCLUDED');
    expect(await ask([hit('X'), left], [hit('X')], ['here'])).toBe(left);
    expect(await ask([left], [], null)).toBe(left);
  });
});
