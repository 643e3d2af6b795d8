import { writeFileSync } from 'node:fs';
import type { Layer } from '../../../../datasets/dataset.ts';
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
export const FIELDS = {
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
export const GUARDED = /^(polygon|nearest|count|agg|overlap|area_key|station|parcel)/;

/** A number in [0, 1) that the same index always gives. */
export const spread = (i: number, salt: number) => {
  const x = Math.sin(i * 127.1 + salt * 311.7) * 43_758.5453;
  return x - Math.floor(x);
};
export const [WEST, SOUTH, EAST, NORTH] = [-100.1, 39.9, -99.9, 40.1];
const somewhere = (i: number): [number, number] => [
  WEST + (EAST - WEST) * spread(i, 1),
  SOUTH + (NORTH - SOUTH) * spread(i, 2),
];
const tag = (i: number) => ({
  KEY: `K${String(i).padStart(4, '0')}`,
  KIND: 'abc'[i % 3]!,
  SIZE: i % 7 === 3 ? null : i,
});
export const box = (i: number, size: number) => {
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

/** A release of every kind of layer over two places, some of it damaged. */
export async function everyOperator(): Promise<Fixture> {
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
  const fixture = await createFixture(datasets, {
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
  return fixture;
}
