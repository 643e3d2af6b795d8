import { describe, expect, it } from 'vitest';
import { buildCatalog, type Catalog } from '../../../../datasets/catalog.ts';
import type { Confidence, ConfidenceRule, VectorLayer } from '../../../../datasets/dataset.ts';
import { parseCondition } from '../../../../datasets/grammar/condition.ts';
import type { Expression } from '../../../../datasets/grammar/expression.ts';
import type { Partition } from '../../../../datasets/release.ts';
import { accuracyOf, doubtOfEdge } from '../../../../query/evaluate/accuracy.ts';
import { confidenceOf, lowest, variationOf } from '../../../../query/evaluate/confidence.ts';
import type { Context, Question } from '../../../../query/evaluate/context.ts';
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
import { coverageEdge, reachAbout, upToEdge, withinEdge } from '../../../../query/evaluate/edge/coverage-edge.ts';
import { excludedOf, isExcluded, panelsOf, unmapped, unmappedEdge } from '../../../../query/evaluate/edge/mapped.ts';
import { withNear } from '../../../../query/evaluate/edge/near-area.ts';
import type { Ground } from '../../../../query/evaluate/edge/surroundings.ts';
import { absent, type Finding, failed, found, type NearKey } from '../../../../query/evaluate/finding.ts';
import { conditionWords, doubtedOf, doubtOf, openFinding, undecided } from '../../../../query/evaluate/vector/doubt.ts';
import type { Gathered } from '../../../../query/evaluate/vector/gathered.ts';
import type { Hit, Search } from '../../../../query/evaluate/vector/vector-search.ts';
import { distance } from '../../../../query/geometry/geodesic.ts';
import type { LayerAt } from '../../../../query/release/coverage.ts';
import { PartitionSet } from '../../../../query/release/lists/partition-set.ts';
import { dataset } from '../../release-fixture.ts';

const rule = (text: object) => text as ConfidenceRule;
const EDGE = rule({ kind: 'edge_m', metres: 30 });
const HIGH = rule({ kind: 'const', level: 'high' });
const MEDIUM = rule({ kind: 'const', level: 'medium' });

describe('a confidence', () => {
  it('of several is the lowest, and high of none', () => {
    expect(lowest([])).toBe('high');
    expect(lowest(['high', 'medium', 'high'])).toBe('medium');
    expect(lowest(['medium', 'low', 'high'])).toBe('low');
    expect(lowest(['high'])).toBe('high');
  });

  it('is high where no rule asks, and what a constant says', () => {
    expect(confidenceOf(null)).toBe('high');
    for (const level of ['high', 'medium', 'low'] as Confidence[])
      expect(confidenceOf(rule({ kind: 'const', level }))).toBe(level);
  });

  it('by an edge is high beyond its meters alone, and medium where nothing is known', () => {
    const asked: number[] = [];
    const at = (metres: number) =>
      confidenceOf(EDGE, {
        edge: limit => {
          asked.push(limit);
          return metres;
        },
      });
    expect([at(29), at(30), at(30.1), at(Infinity)]).toEqual(['medium', 'medium', 'high', 'high']);
    expect(asked).toEqual([30, 30, 30, 30]);
    expect(confidenceOf(EDGE)).toBe('medium');
  });

  it('by stations falls with how far the nearest is, and is low without one', () => {
    const stations = rule({ kind: 'station_km', high: 10, medium: 40 });
    const at = (station: number) => confidenceOf(stations, { station });
    expect([at(10_000), at(10_001), at(40_000), at(40_001)]).toEqual(['high', 'medium', 'medium', 'low']);
    expect(confidenceOf(stations)).toBe('low');
  });

  it('by variation falls with the error as a share of the value, and is medium without one', () => {
    const cv = rule({ kind: 'cv', high: 12, medium: 40 });
    const of = (value: number, spread: number | null) => confidenceOf(cv, { value, spread });
    expect([of(100, 12), of(100, 12.1), of(-100, 40), of(-100, 40.1)]).toEqual(['high', 'medium', 'medium', 'low']);
    expect([of(0, 0), of(0, 1), of(5, null)]).toEqual(['high', 'low', 'medium']);
    expect(confidenceOf(cv)).toBe('medium');
    expect(confidenceOf(cv, { spread: 0 })).toBe('high');
    expect([variationOf(0, 0), variationOf(50, 5), variationOf(-50, 5), variationOf(0, 5)]).toEqual([
      0,
      10,
      10,
      Infinity,
    ]);
  });

  it('by sign is low where the error may turn it, else medium', () => {
    const sign = rule({ kind: 'sign', errors: 2 });
    const of = (value: number, spread: number | null) => confidenceOf(sign, { value, spread });
    expect([of(4, 2), of(-4, 2), of(4.1, 2), of(-4.1, 2), of(4, null)]).toEqual([
      'low',
      'low',
      'medium',
      'medium',
      'medium',
    ]);
    expect([confidenceOf(sign), confidenceOf(sign, { spread: 1 })]).toEqual(['medium', 'low']);
  });

  it('by the parcel match is high where it holds the point, and low where it was matched by address alone or not at all', () => {
    const match = rule({ kind: 'parcel_match' });
    expect((['contains', 'nearest', 'address', null] as const).map(one => confidenceOf(match, { match: one }))).toEqual(
      ['high', 'medium', 'low', 'low'],
    );
    expect(confidenceOf(match)).toBe('low');
  });

  it('by inputs is that of the least sure one', () => {
    const inputs = rule({ kind: 'min_inputs' });
    expect([confidenceOf(inputs, { inputs: ['high', 'low'] }), confidenceOf(inputs)]).toEqual(['low', 'high']);
  });
});

const layer = (more: Partial<VectorLayer> = {}): VectorLayer => ({
  kind: 'vector',
  geometry: 'polygon',
  joinKey: null,
  partition: 'county',
  columns: {
    zone: { type: 'string', unknown: ['N/A'] },
    wet: { type: 'string', emptyIsNone: "zone = 'X'" },
    plain: { type: 'string' },
  },
  ...more,
});
const zones = dataset('zones', {
  main: layer({ accuracyM: 12 }),
  vague: layer(),
  grid: { kind: 'raster', bands: 1, sampling: 'nearest', partition: 'national' },
});
const parcels = (accuracyM?: number) =>
  dataset('parcel_store', { main: layer(accuracyM === undefined ? {} : { accuracyM }) });
const catalog = buildCatalog([zones, parcels(5)]);
const partition = (place = 'somewhere', more: Partial<Partition> = {}) =>
  ({
    place,
    files: [],
    unpublished: [],
    provenance: { source: place, url: null, vintage: null, note: null },
    ...more,
  }) as unknown as Partition;
const source = (of = 'main') => ({ dataset: 'zones', layer: of, where: null });
const ctxOf = (of: Catalog = catalog) => ({ catalog: of }) as Context;

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

describe('doubt about a condition', () => {
  const where = (text: string) => parseCondition(text);

  it('is of what may be empty or unknown, with what empty means by column', () => {
    const asked = where("zone = 'AE' and wet = 'T' and plain = 'p'");
    const doubt = doubtOf(ctxOf(), source(), asked)!;
    expect(doubt).toEqual({
      kind: 'unknown',
      of: asked,
      meanings: {
        zone: { unknown: ['N/A'], none: null },
        wet: { unknown: [], none: where("zone = 'X'") },
      },
    });
    // One object serves as a key.
    expect(doubtOf(ctxOf(), source(), asked)).toBe(doubt);
    expect(doubtOf(ctxOf(), source('vague'), asked)).not.toBe(doubt);
  });

  it('is none where every row tells', () => {
    expect(doubtOf(ctxOf(), source(), null)).toBeNull();
    expect(doubtOf(ctxOf(), source(), where('zone is null'))).toBeNull();
    expect(doubtOf(ctxOf(), source(), where('zone is null and wet is not null'))).toBeNull();
    expect(doubtOf(ctxOf(), source(), where("zone is null and wet = 'T'"))).not.toBeNull();
    expect(doubtOf(ctxOf(), source('grid'), where("zone = 'AE'"))).toBeNull();
    const gathering = { source: source(), where: null, radius: 5, columns: [], listed: false };
    expect(doubtedOf(gathering, ctxOf())).toBeNull();
    const some = { ...gathering, where: where("zone = 'AE'") };
    expect(doubtedOf(some, ctxOf())).toMatchObject({ radius: 5, where: { kind: 'unknown', of: some.where } });
  });

  it('is said with the columns that decide', () => {
    const asked = where("zone = 'AE' and wet = 'T'");
    expect(undecided(asked)).toBe('what decides (zone, wet) is empty or unknown there');
    expect(conditionWords({ where: asked })).toBe(' that are asked for (by zone, wet)');
    expect(conditionWords({ where: null })).toBe('');
  });

  it('makes a count absent that rests on it, citing whose features are in doubt', () => {
    const [one, two] = [partition('one'), partition('two')];
    const call = {
      sources: [source()],
      where: where("zone = 'AE'"),
      options: { radius_m: 1500 },
    } as unknown as Expression;
    const search = { at: { covering: [one] } } as unknown as Search;
    const part = (of: Partition, count: number) => ({ partition: of, count }) as Gathered;
    const open = (parts: readonly Gathered[], span?: string) =>
      openFinding(call, { rule: MEDIUM } as Question, search, parts, span);
    expect(open([part(one, 2), part(two, 3)], ' or more')).toEqual({
      ...absent(
        '5 of the zones (one) within 1.5 km may or may not count or more: what decides (zone) is empty or unknown there',
        'medium',
        [one, two],
      ),
    });
    expect(open([part(two, 1)]).notes[0]).toMatch(/^one of the zones \(one\) within 1\.5 km may or may not count: /);
    expect(open([part(one, 1)]).citations).toHaveLength(1);
  });
});

/** A partition that holds all within a box, also beyond its coverage. */
const holding = (reach: readonly number[] | null, place = 'somewhere') =>
  partition(place, { ...(reach ? { reach } : {}) } as Partial<Partition>);
const [EAST, NORTH] = [distance(10, 40, 10.01, 40) * 100, distance(10, 40, 10, 40.01) * 100];

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
  const ask = (own: Hit[], within: Hit[], places: readonly string[] | null) => {
    const at = {
      covering: (places ?? []).map(place => partition(place)),
      searched: PartitionSet.from([]),
    } as unknown as LayerAt;
    const ctx = {
      point: { lng: 10, lat: 40 },
      memo: (_: string, compute: () => unknown) => compute(),
      layers: { release: { layer: () => (places ? {} : null) }, at: () => at },
    } as unknown as Context;
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

  it('give way to a polygon that says so itself', async () => {
    const left = hit('AREA NOT INCLUDED');
    expect(await ask([hit('X'), left], [hit('X')], ['here'])).toBe(left);
    expect(await ask([left], [], null)).toBe(left);
  });
});
