import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import type { Box, Geometry } from '../../../../datasets/geometry.ts';
import { distance } from '../../../../query/geometry/geodesic.ts';
import { createFixture, dataset, type Fixture, field, point, rectangle } from '../../release-fixture.ts';
import { bothForms } from '../operators/forms.ts';

const vector = (geometry: 'point' | 'polygon', more: Partial<VectorLayer> = {}): VectorLayer => ({
  kind: 'vector',
  geometry,
  joinKey: 'name',
  partition: 'county',
  columns: { name: { type: 'string' }, size: { type: 'integer' } },
  ...more,
});
const FIELDS = {
  metres: field('nearest_distance(sites, max_km=5)'),
  name: field('nearest_attr(sites, name, max_km=5)', { type: 'string' }),
  national: field('nearest_distance(sites:national, max_km=5)'),
  /** Of two places with a jagged border between them, and of one that covers what both do. */
  parted: field('nearest_distance(sites:parted, max_km=5)'),
  joined: field('nearest_distance(sites:joined, max_km=5)'),
  /** Of a place that fills the hole of another, and of one without a hole. */
  filled: field('nearest_distance(sites:filled, max_km=5)'),
  whole: field('nearest_distance(sites:whole, max_km=5)'),
  boxed: field('nearest_distance(sites:boxed, max_km=5)'),
  count: field('count_within(sites, radius_m=300)', { type: 'integer' }),
  all: field('count_within(sites:national, radius_m=300)', { type: 'integer' }),
  total: field('agg_within(sites, size, agg=sum, radius_m=1500)', { type: 'integer' }),
  share: field('overlap_fraction(sites:zones, over=radius:300)'),
  strict: field('nearest_attr(sites:strict, name, max_km=5)', { type: 'string' }),
  strict_metres: field('nearest_distance(sites:strict, max_km=5)'),
  zone: field('polygon_attr(sites:zones, name)', { type: 'string' }),
  within: field('polygon_within(sites:zones)', { type: 'boolean' }),
  paneled: field('polygon_within(sites:zones, coverage=sites:panels)', { type: 'boolean' }),
  /** Metres that no accuracy is stated of. */
  plain: field('polygon_within(sites:plain)', { type: 'boolean' }),
  /** By panels side by side, and of places that overlap. */
  seamed: field('polygon_within(sites:zones, coverage=sites:seamed)', { type: 'boolean' }),
  lapped: field('polygon_within(sites:lapped)', { type: 'boolean' }),
};
const sites = dataset(
  'sites',
  {
    main: vector('point'),
    national: vector('point'),
    boxed: vector('point'),
    parted: vector('point'),
    joined: vector('point'),
    filled: vector('point'),
    whole: vector('point'),
    strict: vector('point', { pastEdge: 'absent' }),
    zones: vector('polygon', { accuracyM: 10 }),
    panels: vector('polygon', { accuracyM: 10 }),
    plain: vector('polygon'),
    seamed: vector('polygon', { accuracyM: 10 }),
    lapped: vector('polygon'),
  },
  FIELDS,
);
const parcels = dataset(
  'parcel_store',
  { main: vector('polygon') },
  {
    lot: field('parcel_attr(name)', { type: 'string', confidence: 'parcel_match' }),
  },
);

const [LNG, LAT] = [-73, 43];
const EAST = 1 / (distance(LNG, LAT, LNG + 0.001, LAT) * 1000);
const NORTH = 1 / (distance(LNG, LAT, LNG, LAT + 0.001) * 1000);
const at = (x: number, y: number) => ({ lng: LNG + x * EAST, lat: LAT + y * NORTH });
const box = (x0: number, y0: number, x1: number, y1: number) => {
  const [a, b] = [at(x0, y0), at(x1, y1)];
  return rectangle([a.lng, a.lat, b.lng, b.lat]);
};
const site = (name: string, x: number, y: number) => ({ name, size: 7, geometry: point(at(x, y).lng, at(x, y).lat) });

/** Two places side by side, each 2 km wide: their common edge is none of what they cover together. */
const WEST = { place: 'west', key: 'VT/50025', coverage: [box(-2000, -1000, 0, 1000)] };
const THERE = { place: 'east', key: 'VT/50027', coverage: [box(0, -1000, 2000, 1000)] };

/** Places side by side whose border runs from north to south in a hundred steps, and from there on stands alone. */
const BORDER = Array.from({ length: 101 }, (_, i) => [i % 2 ? 40 + (i % 7) : -30, 1000 - 20 * i] as const);
const ring = (corners: readonly (readonly [number, number])[]): Geometry => ({
  type: 'Polygon',
  xy: Float64Array.from([...corners, corners[0]!].flatMap(([x, y]) => [at(x, y).lng, at(x, y).lat])),
  ends: Uint32Array.of(corners.length + 1),
  parts: Uint32Array.of(1),
});
const PARTED = [
  { ...WEST, coverage: [ring([[-2000, -1000], ...BORDER.toReversed(), [-2000, 1000]])] },
  { ...THERE, coverage: [ring([[1500, 1000], [900, 0], [2000, -1000], ...BORDER.toReversed()])] },
];
const JOINED = {
  ...WEST,
  coverage: [ring([[-2000, -1000], BORDER.at(-1)!, [2000, -1000], [900, 0], [1500, 1000], BORDER[0]!, [-2000, 1000]])],
};

const bounds = (x0: number, y0: number, x1: number, y1: number): Box => {
  const [a, b] = [at(x0, y0), at(x1, y1)];
  return [a.lng, a.lat, b.lng, b.lat];
};
const [OUTER, HOLE] = [bounds(-2000, -1000, 2000, 1000), bounds(-300, -300, 300, 300)];
const FILLED = [
  { ...WEST, coverage: [rectangle(OUTER, HOLE)] },
  { ...THERE, coverage: [rectangle(HOLE)] },
];

const ZONES = [{ name: 'z', geometry: box(-1500, -500, -1200, -300) }];
/** Two panels with a gap of 100 m, beyond which nobody studied. */
const PANELS = [
  { name: 'p', geometry: box(-2000, -1000, -1000, 1000) },
  { name: 'q', geometry: box(-900, -1000, 0, 1000) },
];
const SEAMED = [
  { name: 'p', geometry: box(-2000, -1000, -1000, 1000) },
  { name: 'q', geometry: box(-1000, -1000, 0, 1000) },
];

let fixture: Fixture;
beforeAll(async () => {
  const features = [site('a', -500, 0), site('b', 1900, 0)];
  fixture = await createFixture([sites, parcels], {
    sites: {
      main: [
        { ...WEST, features: [features[0]!] },
        { ...THERE, features: [features[1]!] },
      ],
      national: [{ features }],
      parted: PARTED.map((place, i) => ({ ...place, features: [features[i]!] })),
      joined: [{ ...JOINED, features }],
      filled: FILLED.map((place, i) => ({ ...place, features: i === 0 ? [features[1]!] : [] })),
      whole: [{ ...WEST, coverage: [rectangle(OUTER)], features: [features[1]!] }],
      strict: [
        { ...WEST, features: [features[0]!] },
        { ...THERE, features: [features[1]!] },
      ],
      zones: [
        { ...WEST, features: ZONES },
        { ...THERE, features: [] },
      ],
      panels: [
        { ...WEST, features: PANELS },
        { ...THERE, features: [] },
      ],
      plain: [
        { ...WEST, features: ZONES },
        { ...THERE, features: [] },
      ],
      seamed: [{ ...WEST, features: SEAMED }],
      lapped: [
        { ...WEST, coverage: [box(-2000, -1000, 100, 1000)], features: [] },
        { ...THERE, coverage: [box(-100, -1000, 2000, 1000)], features: [] },
      ],
      boxed: [{ ...WEST, coverage: 'extent', features: [site('c', -1500, -500), site('d', -500, 500)] }],
    },
    parcel_store: { main: [{ ...WEST, features: [{ name: 'across', geometry: box(-50, 20, 30, 60) }] }] },
  });
});
afterAll(() => fixture.remove());
const ask = (x: number, y: number, ...names: string[]) => fixture.ask(names, at(x, y));

describe('the nearest feature near the edge of coverage', () => {
  it('is an upper bound where the coverage ends nearer, and says so', async () => {
    const { metres, name, national } = await ask(-1600, 0, 'metres', 'name', 'national');
    expect(metres).toMatchObject({ status: 'ok', confidence: 'low' });
    expect(metres!.notes).toBe(
      'the coverage of sites ends nearer than what was found, so the distance is an upper bound',
    );
    expect(name).toMatchObject({ value: 'a', confidence: 'low' });
    expect(name!.notes).toContain('this may not be the nearest');
    expect(national).toMatchObject({ status: 'ok', confidence: 'high', notes: null });
  });

  it('is what it is where the coverage goes on for longer', async () => {
    expect((await ask(-700, 0, 'metres')).metres).toMatchObject({ confidence: 'high', notes: null });
  });

  it('does not end where the coverage of another place begins', async () => {
    // The feature is 520 m west, the common edge 20 m.
    expect((await ask(20, 0, 'metres', 'name')).metres).toMatchObject({ confidence: 'high', notes: null });
    expect((await ask(-30, 0, 'name')).name).toMatchObject({ value: 'a', confidence: 'high' });
  });

  it.each([
    ['a border of many steps', 'parted', 'joined'],
    ['a place that fills the hole of another', 'filled', 'whole'],
  ])('ends where both together end: %s', async (_, two, one) => {
    const found = new Set<string>();
    for (let i = 0; i < 300; i++) {
      const said = await ask(-1990 + ((i * 397) % 3980), -990 + ((i * 211) % 1980), two, one);
      const [of, expected] = [said[two]!, said[one]!];
      expect([of.status, of.value, of.confidence]).toEqual([expected.status, expected.value, expected.confidence]);
      expect(of.notes?.replace(two, one) ?? null).toBe(expected.notes);
      found.add(`${of.status} ${of.confidence}`);
    }
    expect([...found].sort()).toEqual(expect.arrayContaining(['ok high', 'ok low']));
  });

  it('ends with the box of features where that is the coverage', async () => {
    expect((await ask(-1000, 400, 'boxed')).boxed).toMatchObject({ status: 'ok', confidence: 'low' });
    expect((await ask(-520, 460, 'boxed')).boxed).toMatchObject({ confidence: 'low' });
    expect((await ask(-540, 440, 'boxed')).boxed).toMatchObject({ confidence: 'low' });
  });

  it('is unsure of an absence too', async () => {
    const empty = await createFixture([sites], { sites: { main: [{ ...WEST, features: [] }] } });
    const { metres } = await empty.ask(['metres'], at(-1000, 0));
    expect(metres).toMatchObject({ status: 'absent', confidence: 'low' });
    expect(metres!.notes).toBe(
      'No sites (source_of_west) within 5 km. The coverage of sites ends nearer than that, and beyond it nothing is known.',
    );
    empty.remove();
  });

  it('is absent where its dataset has no use for another', async () => {
    const { strict, strict_metres } = await ask(-1600, 0, 'strict', 'strict_metres');
    expect(strict).toMatchObject({ status: 'absent', value: null, confidence: 'low' });
    expect(strict!.notes).toBe(
      'the coverage of sites:strict ends nearer than what was found, so another may be the nearest',
    );
    expect(strict_metres).toMatchObject({ status: 'ok', confidence: 'low' });
    expect((await ask(-700, 0, 'strict')).strict).toMatchObject({ status: 'ok', value: 'a', confidence: 'high' });
  });

  it('is the same whatever else is asked with it', async () => {
    const names = Object.keys(FIELDS);
    for (const order of [names, names.toReversed()])
      for (const [x, y] of [
        [-1900, 0],
        [-1995, 3],
        [-700, 20],
        [20, 40],
      ] as const) {
        const together = await ask(x, y, ...order);
        for (const name of names) {
          const alone = (await ask(x, y, name))[name]!;
          expect({ ...together[name]!, fetchedAt: '' }, `${name} at ${x} ${y}`).toEqual({ ...alone, fetchedAt: '' });
        }
      }
  });

  it('agrees in both forms', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: -2100, max: 2100 }), fc.integer({ min: -1100, max: 1100 })), {
          minLength: 1,
          maxLength: 30,
        }),
        async list => {
          await bothForms(
            fixture,
            Object.keys(FIELDS),
            list.map(([x, y]) => at(x, y)),
          );
        },
      ),
      { seed: 24, numRuns: 8 },
    );
  });

  it('agrees in both forms along a row of points near the edge', async () => {
    const row = Array.from({ length: 140 }, (_, i) => at(-2050 + 30 * i, 13 * (i % 5) - 20 * (i % 40)));
    const found = await bothForms(fixture, ['metres', 'boxed', 'name', 'within'], row);
    const sure = new Set(found.map(({ metres }) => `${metres!.status} ${metres!.confidence}`));
    expect([...sure].sort()).toEqual(['absent high', 'ok high', 'ok low']);
  });
});

describe('what is counted within a distance', () => {
  const beyond = (what: string, distance: string) =>
    `the coverage of ${what} ends nearer than ${distance}, and nothing beyond it is counted`;

  it('is unsure where the coverage ends nearer, and says so', async () => {
    const { count, total, share, all } = await ask(-1900, 0, 'count', 'total', 'share', 'all');
    expect(count).toMatchObject({ value: 0, confidence: 'low', notes: beyond('sites', '300 m') });
    expect(total).toMatchObject({ value: 7, confidence: 'low', notes: beyond('sites', '1.5 km') });
    expect(share).toMatchObject({ status: 'ok', confidence: 'low', notes: beyond('sites:zones', '300 m') });
    expect(all).toMatchObject({ value: 0, confidence: 'high', notes: null });
  });

  it('is what it is where the coverage goes on for longer, also into that of another place', async () => {
    for (const x of [-1600, -400, 20]) {
      const { count, share } = await ask(x, 0, 'count', 'share');
      expect(count).toMatchObject({ value: x === -400 ? 1 : 0, confidence: 'high', notes: null });
      expect(share).toMatchObject({ confidence: 'high', notes: null });
    }
  });
});

describe('no polygon near ground that nobody mapped', () => {
  it.each([
    [-1995, 'low', '5.0 m'],
    [-1985, 'medium', '15.0 m'],
    [-1975, 'high', null],
    // The edge to the place beside it is none.
    [-5, 'high', null],
  ] as const)('is as sure as it is far from the edge of the coverage: at %i', async (x, confidence, metres) => {
    const said =
      metres === null
        ? null
        : `${metres} from ground that the sites:zones (source_of_west) do not map, while the source is accurate to 10 m`;
    const { within, zone, plain } = await ask(x, 0, 'within', 'zone', 'plain');
    expect(within).toMatchObject({ value: false, confidence, notes: said });
    expect(zone).toMatchObject({ status: 'absent', confidence });
    expect(zone!.notes).toContain(said ?? 'none of the sites:zones (source_of_west) contains the point');
    // Nobody states how accurate it is: medium at most within 50 m.
    expect(plain).toMatchObject({ value: false, confidence: x < -1950 ? 'medium' : 'high' });
  });

  it('is as sure as it is far from the edge of the panels', async () => {
    const at = async (x: number) => (await ask(x, 0, 'paneled')).paneled;
    expect(await at(-1008)).toMatchObject({
      value: false,
      confidence: 'low',
      notes: expect.stringMatching(/^8\.0 m from/),
    });
    expect(await at(-885)).toMatchObject({ value: false, confidence: 'medium' });
    expect(await at(-870)).toMatchObject({ value: false, confidence: 'high', notes: null });
    expect(await at(-950)).toMatchObject({ status: 'absent', notes: expect.stringMatching(/do not map this place/) });
  });

  it('does not mind where one panel ends and the next begins, nor the edge of a place within another', async () => {
    const { seamed, lapped } = await ask(-1005, 0, 'seamed', 'lapped');
    expect(seamed).toMatchObject({ value: false, confidence: 'high', notes: null });
    expect(lapped).toMatchObject({ value: false, confidence: 'high' });
    for (const x of [-95, 95])
      expect((await ask(x, 0, 'lapped')).lapped).toMatchObject({ value: false, confidence: 'high', notes: null });
    expect((await ask(1995, 0, 'lapped')).lapped).toMatchObject({ value: false, confidence: 'medium' });
  });

  it('is told of the nearer edge: that of a polygon', async () => {
    const { within } = await ask(-1505, -400, 'within');
    expect(within).toMatchObject({ value: false, confidence: 'low' });
    expect(within!.notes).toMatch(/^5\.0 m from one of the sites:zones/);
  });
});

describe('a stored parcel that reaches beyond the coverage of its place', () => {
  it('covers the points in it', async () => {
    const [inside, beyond] = await bothForms(fixture, ['lot'], [at(20, 40), at(100, 40)]);
    expect(inside!.lot).toMatchObject({ status: 'ok', value: 'across', confidence: 'high' });
    expect(beyond!.lot).toMatchObject({ status: 'absent', notes: 'no parcel data covers the point' });
  });
});
