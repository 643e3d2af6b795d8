import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walk } from '../../../../datasets/catalog.ts';
import type { Layer } from '../../../../datasets/dataset.ts';
import type { Answer, Point } from '../../../../query/evaluate/answer.ts';
import { evaluateBatch } from '../../../../query/evaluate/batch-evaluate.ts';
import { evaluate } from '../../../../query/evaluate/evaluate.ts';
import { toAnswer } from '../../../../query/evaluate/finding.ts';
import { OPERATORS } from '../../../../query/evaluate/operators/registry.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { openRelease } from '../../../../query/release/opened-release.ts';
import { createFixture, dataset, type Fixture, field, line, point, rectangle } from '../../release-fixture.ts';

const raster = (sampling: 'nearest' | 'bilinear', nodata: number[] = []): Layer => ({
  kind: 'raster',
  bands: 1,
  sampling,
  nodata,
  partition: 'state',
});
const vector = (
  geometry: 'point' | 'line' | 'polygon',
  columns: Extract<Layer, { kind: 'vector' }>['columns'],
): Layer => ({
  kind: 'vector',
  geometry,
  joinKey: 'KEY',
  columns: { KEY: { type: 'string' }, ...columns },
  partition: 'state',
});
const KIND = { KIND: { type: 'string' }, SIZE: { type: 'number' } } as const;
const station = { confidence: 'station_km(1;5)' } as const;
const edge = { confidence: 'edge_m(100)' } as const;
const text = { type: 'string' } as const;
const yes = { type: 'boolean' } as const;
const by = { confidence: 'parcel_match' } as const;
const least = { confidence: 'min_inputs' } as const;

/** Fields by operator; where one layer is damaged the name says so. */
const FIELDS = {
  height: field('raster_sample(grids:dem, 1)'),
  code: field('raster_sample(grids:cover, 1)'),
  height_torn: field('raster_sample(grids:torn, 1)'),
  slope: field('raster_terrain(grids:dem, slope_degrees, window_m=30)'),
  aspect: field('raster_terrain(grids:dem, aspect_cardinal, window_m=30)', text),
  rugged: field('raster_terrain(grids:dem, tri, window_m=900)'),
  position: field('raster_terrain(grids:dem, tpi, window_m=2000)'),
  slopes: field('raster_terrain(grids:dem, slope_percent, window_m=30, stat=mean, over=radius:900)'),
  steep: field(
    'raster_terrain(grids:dem, slope_percent, window_m=30, stat=fraction, over=radius:900, where[value > 2])',
  ),
  slope_torn: field('raster_terrain(grids:torn, slope_degrees, window_m=30)'),
  relief: field('raster_zonal(grids:dem, 1, stat=range, over=radius:900)'),
  average: field('raster_zonal(grids:dem, 1, stat=mean, over=radius:700)'),
  commonest: field('raster_zonal(grids:cover, 1, stat=majority, over=radius:900, map=nlcd_classes)', text),
  woods: field('raster_zonal(grids:cover, 1, stat=fraction, over=radius:900, where[value in (41,42)])'),
  average_torn: field('raster_zonal(grids:torn, 1, stat=mean, over=radius:700)'),
  zone: field('polygon_attr(things:areas, KIND)', { ...text, ...edge }),
  largest: field('polygon_attr(things:areas, SIZE, pick=max)', edge),
  zone_broken: field('polygon_attr(things:broken, KIND)', text),
  inside: field("polygon_within(things:areas, where[KIND = 'a'])", { ...yes, ...edge }),
  distance: field("nearest_distance(things:sites, max_km=3, where[KIND != 'a'])"),
  to_line: field('nearest_distance(things:lines, max_km=50)'),
  distance_broken: field('nearest_distance(things:broken, max_km=3)'),
  nearest_size: field('nearest_attr(things:sites, SIZE, max_km=3)'),
  count: field('count_within(things:sites, radius_m=2500)', { type: 'integer' }),
  kinds: field('count_within(things:sites, radius_m=2500, distinct=KIND)', { type: 'integer' }),
  total: field("agg_within(things:sites, SIZE, agg=sum, radius_m=2500, where[KIND != 'b'])"),
  most: field('agg_within(things:sites, SIZE, agg=max, radius_m=800)'),
  covered: field('overlap_fraction(things:areas, over=radius:800)', { unit: 'fraction' }),
  parcel_covered: field('overlap_fraction(things:areas, over=parcel)', { unit: 'fraction' }),
  people: field('area_key_attr(tables, PEOPLE, key=county_fips)'),
  latest: field('area_key_attr(tables:yearly, RATE, key=county_fips, agg=latest)'),
  doubled: field('area_key_attr(tables:yearly, RATE, key=county_fips)'),
  idw: field('station_value(things:sites, SIZE, method=idw, k=3, max_km=4)', station),
  nearest_station: field('station_value(things:sites, SIZE, method=nearest, k=1, max_km=2)', station),
  station_broken: field('station_value(things:broken, SIZE, method=idw, k=3, max_km=4)', station),
  owner: field('parcel_attr(OWNER)', { ...text, ...by }),
  parcel_area: field('parcel_attr(@area_m2)', by),
  parcel_distance: field('parcel_attr(@match_distance_m)', by),
  above: field('derived(expr[h - m], h=@height, m=@average)', least),
  ratio: field('derived(expr[a / b], a=@people, b=@count)', least),
  nested: field('derived(expr[a + b], a=@count, b=count_within(things:sites, radius_m=500))', least),
  of_torn: field('derived(expr[a + b], a=@height_torn, b=@height)', least),
};
const datasets = [
  dataset('grids', { dem: raster('bilinear'), cover: raster('nearest', [250]), torn: raster('nearest') }, FIELDS),
  dataset('things', {
    areas: vector('polygon', KIND),
    sites: vector('point', KIND),
    lines: vector('line', KIND),
    broken: vector('polygon', KIND),
  }),
  dataset('tables', {
    main: {
      kind: 'table',
      key: { column: 'FIPS', is: 'county_fips' },
      columns: { FIPS: { type: 'string' }, PEOPLE: { type: 'integer' } },
      partition: 'national',
    },
    yearly: {
      kind: 'table',
      key: { column: 'FIPS', is: 'county_fips' },
      columns: { FIPS: { type: 'string' }, Year: { type: 'integer' }, RATE: { type: 'number' } },
      partition: 'national',
    },
  }),
  dataset('census_tiger', { county: vector('polygon', { GEOID: { type: 'string' } }) }),
  dataset('parcel_store', { main: vector('polygon', { OWNER: { type: 'string' } }) }),
];

/** Operators that read features or rows. */
const GUARDED = /^(polygon|nearest|count|agg|overlap|area_key|station|parcel)/;

/** A number in [0, 1) that the same index always gives. */
const spread = (i: number, salt: number) => {
  const x = Math.sin(i * 127.1 + salt * 311.7) * 43_758.5453;
  return x - Math.floor(x);
};
const [WEST, SOUTH, EAST, NORTH] = [-100.1, 39.9, -99.9, 40.1];
const somewhere = (i: number): [number, number] => [
  WEST + (EAST - WEST) * spread(i, 1),
  SOUTH + (NORTH - SOUTH) * spread(i, 2),
];
const tag = (i: number) => ({
  KEY: `K${String(i).padStart(4, '0')}`,
  KIND: 'abc'[i % 3]!,
  SIZE: i % 7 === 3 ? null : i,
});
const box = (i: number, size: number) => {
  const [x, y] = somewhere(i);
  return rectangle([x, y, x + size * (0.2 + spread(i, 3)), y + size * (0.2 + spread(i, 4))]);
};
const CELL = 0.001;
const dem = (west: number, columns: number) => ({
  west,
  north: NORTH,
  cell: CELL,
  width: columns,
  height: 200,
  nodata: -9999,
  values: Float32Array.from({ length: columns * 200 }, (_, i) => {
    const [x, y] = [west / CELL + (i % columns), Math.floor(i / columns)];
    return spread(Math.round(x) * 7 + y, 9) > 0.999 ? -9999 : 400 + 60 * Math.sin(x / 17) * Math.cos(y / 11) + 0.3 * y;
  }),
});
const cover = {
  ...dem(WEST, 150),
  values: Float32Array.from(
    { length: 150 * 200 },
    (_, i) => [11, 41, 42, 81, 250, 250][Math.floor(6 * spread(i >> 3, 5))]!,
  ),
};
const HALVES = { west: rectangle([WEST, SOUTH, -100, NORTH]), east: rectangle([-100, SOUTH, EAST, NORTH]) };

let fixture: Fixture;
beforeAll(async () => {
  const range = (count: number) => Array.from({ length: count }, (_, i) => i);
  const half = (place: 'west' | 'east') => ({ place, source: place, key: place, coverage: [HALVES[place]] });
  const lots = range(900).flatMap(i => {
    const [x, y] = [WEST + 0.006 * (i % 30), SOUTH + 0.006 * Math.floor(i / 30)];
    const lot = {
      geometry: rectangle([x, y, x + 0.005, y + 0.0058]),
      KEY: `P${i}`,
      OWNER: i % 5 ? `owner ${i}` : null,
    };
    return i % 11 ? [lot] : [lot, { ...lot, KEY: `P${i}-2` }];
  });
  const counties = range(4).map(i => {
    const [x, y] = [WEST + 0.1 * (i % 2), SOUTH + 0.1 * Math.floor(i / 2)];
    return { geometry: rectangle([x, y, x + 0.1, y + 0.1]), KEY: `${i}`, GEOID: `0800${i}` };
  });
  const tile = (place: string, west: number, columns: number) => ({
    raster: dem(west, columns),
    place,
    source: place,
    key: 'CO',
    coverage: 'extent' as const,
  });
  fixture = await createFixture(datasets, {
    grids: {
      dem: [tile('left', WEST, 100), tile('right', -100, 100)],
      cover: [{ raster: cover, coverage: 'extent' }],
      torn: [tile('left', WEST, 100), tile('right', -100, 90)],
    },
    things: {
      areas: [
        {
          ...half('west'),
          features: range(60).map(i => ({ geometry: box(i, 0.02), ...tag(i) })),
          note: 'western areas',
        },
        {
          ...half('east'),
          features: range(40).map(i => ({ geometry: box(i + 60, 0.05), ...tag(i + 60) })),
          unpublished: ['SIZE'],
          rejected: range(15).map(i => ({ geometry: box(i + 300, 0.012), ...tag(i), reason: 'crossing rings' })),
        },
      ],
      sites: [
        {
          ...half('west'),
          features: range(120).map(i => ({ geometry: point(...somewhere(i)), ...tag(i) })),
          rejected: range(4).map(i => ({ geometry: point(...somewhere(i + 400)), KEY: `R${i}`, reason: 'a bad date' })),
        },
        {
          ...half('east'),
          features: range(80).map(i => ({ geometry: point(...somewhere(i + 120)), ...tag(i + 120) })),
        },
      ],
      lines: [
        {
          features: range(30).map(i => ({
            geometry: line(somewhere(i), somewhere(i + 1), somewhere(i + 2)),
            ...tag(i),
          })),
          rejected: [{ geometry: line(somewhere(500), somewhere(501)), ...tag(500), reason: 'a bad number' }],
        },
      ],
      broken: [{ features: range(30).map(i => ({ geometry: box(i, 0.02), ...tag(i) })) }],
    },
    tables: {
      main: [
        {
          rows: range(3).map(i => ({ FIPS: `0800${i}`, PEOPLE: i === 2 ? null : 1000 * (i + 1) })),
          rejected: [{ FIPS: '08001', reason: 'column PEOPLE: no number' }],
        },
      ],
      yearly: [{ rows: range(8).map(i => ({ FIPS: `0800${i % 3}`, Year: 2015 + i, RATE: i / 4 })) }],
    },
    census_tiger: {
      county: [
        {
          features: counties,
          rejected: [{ geometry: box(600, 0.02), GEOID: '08009', reason: 'crossing rings' }],
          coverage: [rectangle([WEST, SOUTH, EAST, NORTH])],
        },
      ],
    },
    parcel_store: {
      main: [
        {
          features: lots,
          rejected: range(40).map(i => ({ geometry: box(i + 700, 0.004), KEY: `L${i}`, reason: 'a bow-tie' })),
          coverage: [HALVES.west, HALVES.east],
        },
      ],
    },
  });
  writeFileSync(fixture.path('grids', 'torn', 'raster', 1), 'damaged');
  writeFileSync(fixture.path('things', 'broken', 'features'), 'damaged');
});
afterAll(() => fixture.remove());

const names = Object.keys(FIELDS);
const now = '2026-01-01T00:00:00.000Z';
const settled = (answer: Answer): Answer => ({ ...answer, fetchedAt: now });

/** What both forms say about every point: field → answers, in the order of the points. */
async function bothForms(
  points: readonly Point[],
): Promise<{ bulk: Record<string, Answer[]>; point: Record<string, Answer[]> }> {
  const { catalog } = fixture;
  const release = openRelease(fixture.home);
  const found = await evaluateBatch(names, points, { release, catalog, cache: createCache(64) });
  const bulk = Object.fromEntries(
    [...found].map(([name, findings]) => [name, findings.map(f => toAnswer(f, catalog.datasets.get('grids')!, now))]),
  );
  const cache = createCache(64);
  const point: Record<string, Answer[]> = Object.fromEntries(names.map(name => [name, []]));
  for (const at of points) {
    const answers = await evaluate(names, at, { release, catalog, cache, deadline: Date.now() + 60_000 });
    for (const name of names) point[name]!.push(settled(answers[name]!));
  }
  return { bulk, point };
}

const anywhere = (margin: number) =>
  fc.record({
    lng: fc.double({ min: WEST - margin, max: EAST + margin, noNaN: true }),
    lat: fc.double({ min: SOUTH - margin, max: NORTH + margin, noNaN: true }),
  });
/** Points about one place, as parcels of a street are. */
const cluster = fc
  .tuple(
    anywhere(0),
    fc.constantFrom(0.0002, 0.002, 0.01),
    fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true })), {
      minLength: 2,
      maxLength: 25,
    }),
  )
  .map(([at, size, offsets]) => offsets.map(([x, y]) => ({ lng: at.lng + size * x, lat: at.lat + size * y })));
/** Points on edges of coverages, counties, lots and cells. */
const edges = fc.array(
  fc.constantFrom(
    { lng: -100, lat: 40 },
    { lng: WEST, lat: SOUTH },
    { lng: EAST, lat: NORTH },
    { lng: -100, lat: 40.05 },
    { lng: WEST + 0.006, lat: SOUTH + 0.006 },
    { lng: WEST + 0.0055, lat: SOUTH + 0.003 },
    { lng: -99.95, lat: 40 },
  ),
  { minLength: 1, maxLength: 7 },
);

describe('bulk and point forms', () => {
  it('exist for every operator in this test', () => {
    const used = new Set<string>();
    for (const { expression } of fixture.catalog.fields.values()) walk(expression, call => used.add(call.op));
    expect([...used].sort()).toEqual([...OPERATORS.keys()].sort());
    expect([...OPERATORS.values()].filter(operator => !operator.bulk).map(o => o.name)).toEqual([]);
  });

  it.each([
    ['near one another', cluster, 12],
    ['anywhere, outside the coverages too', fc.array(anywhere(0.05), { minLength: 1, maxLength: 30 }), 8],
    ['on edges', edges, 4],
    [
      'mixed',
      fc.tuple(cluster, fc.array(anywhere(0.5), { minLength: 1, maxLength: 8 }), edges).map(lists => lists.flat()),
      6,
    ],
  ] as const)(
    'agree at points %s',
    async (_, points, numRuns) => {
      const seen = new Map<string, Set<string>>(names.map(name => [name, new Set()]));
      await fc.assert(
        fc.asyncProperty(points as fc.Arbitrary<Point[]>, async list => {
          const { bulk, point } = await bothForms(list);
          for (const name of names) {
            expect({ name, answers: bulk[name] }).toEqual({ name, answers: point[name] });
            for (const answer of point[name]!) seen.get(name)!.add(answer.status);
          }
        }),
        { seed: 20_261_120, numRuns },
      );
      // Damage must really have been met, and no sound field may hide behind a failure.
      for (const name of names) {
        const failing = /torn|broken|doubled/.test(name);
        expect([name, seen.get(name)!.has('failed') && !failing]).toEqual([name, false]);
      }
    },
    60_000,
  );

  it('say what was rejected where it may change the answer', async () => {
    const list = Array.from({ length: 300 }, (_, i) => ({
      lng: WEST + (EAST - WEST) * spread(i, 21),
      lat: SOUTH + (NORTH - SOUTH) * spread(i, 22),
    }));
    const { bulk, point } = await bothForms(list);
    expect(bulk).toEqual(point);
    const said = names.filter(name => bulk[name]!.some(a => a.status === 'absent' && / was rejected: /.test(a.notes!)));
    const reading = names.filter(name => GUARDED.test(FIELDS[name as keyof typeof FIELDS].expression));
    expect(said).toEqual(expect.arrayContaining(reading.filter(name => !/broken/.test(name))));
  }, 60_000);

  it('meet every status: values, absences and failures', async () => {
    const list = Array.from({ length: 150 }, (_, i) => ({
      lng: WEST - 0.02 + (EAST - WEST + 0.04) * spread(i, 11),
      lat: SOUTH - 0.02 + (NORTH - SOUTH + 0.04) * spread(i, 12),
    }));
    const { bulk, point } = await bothForms(list);
    expect(bulk).toEqual(point);
    const met = (name: string) => [...new Set(bulk[name]!.map(a => a.status))].sort().join();
    for (const name of ['height_torn', 'slope_torn', 'average_torn', 'of_torn'])
      expect([name, met(name)]).toEqual([name, 'absent,failed,ok']);
    // Far from a damaged file's box nothing of it is needed.
    for (const name of ['zone_broken', 'distance_broken', 'station_broken'])
      expect([name, met(name)]).toEqual([name, expect.stringMatching(/^(absent,)?failed$/)]);
    for (const name of names.filter(n => !/torn|broken|doubled|to_line/.test(n)))
      expect([name, met(name)]).toEqual([name, 'absent,ok']);
  });

  it('agree where nothing was published, and a batch of no points has no findings', async () => {
    const { catalog } = fixture;
    const nothing = await evaluateBatch(['height', 'above'], [{ lng: 0, lat: 0 }], {
      release: null,
      catalog,
      cache: createCache(16),
    });
    expect([...nothing.values()].flat().map(f => f.error)).toEqual([
      'no release is installed; nothing was published yet',
      'no release is installed; nothing was published yet',
    ]);
    const empty = await evaluateBatch(['height'], [], {
      release: openRelease(fixture.home),
      catalog,
      cache: createCache(16),
    });
    expect(empty.get('height')).toEqual([]);
    await expect(evaluateBatch(['no_field'], [], { release: null, catalog, cache: createCache(16) })).rejects.toThrow(
      RangeError,
    );
  });

  it('stops when nobody waits, and fails what the deadline cuts off', async () => {
    const options = { release: openRelease(fixture.home), catalog: fixture.catalog, cache: createCache(16) };
    const at = [{ lng: -100.05, lat: 40 }];
    await expect(evaluateBatch(['height'], at, { ...options, stopped: () => true })).rejects.toThrow('nobody waits');
    const late = await evaluateBatch(['height'], at, { ...options, deadline: Date.now() - 1 });
    expect(late.get('height')![0]).toMatchObject({ status: 'failed', retryable: true });
  });
});
