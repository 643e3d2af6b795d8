import { truncateSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RasterLayer, VectorLayer } from '../../../../datasets/dataset.ts';
import type { Geometry } from '../../../../datasets/geometry.ts';
import { fromGeoJSON, type Polygonal, toGeoJSON } from '../../../oracle/geojson.ts';
import { isValid } from '../../../oracle/geometry.ts';
import { coveredShare, disc } from '../../../oracle/overlap.ts';
import { createFixture, dataset, type Fixture, field, rectangle } from '../../release-fixture.ts';
import { randomOf, starOf } from '../../star.ts';
import { bothForms } from './forms.ts';

const areas: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'id',
  partition: { h3: 5 },
  columns: { id: { type: 'string' }, kind: { type: 'string' } },
};
const dem: RasterLayer = { kind: 'raster', bands: 1, sampling: 'bilinear', partition: 'state' };
const ground = dataset('ground', { main: dem, slope_percent: { ...dem, sampling: 'nearest' }, code: dem });
const land = dataset(
  'land',
  { main: areas, flood: areas, houses: areas, zones: areas },
  {
    wet: field('overlap_fraction(land, over=radius:500)'),
    pond: field("overlap_fraction(land, over=radius:500, where[kind = 'pond'])"),
    built: field('overlap_fraction(land:houses, over=radius:500)'),
    zoned: field('overlap_fraction(land:zones, over=radius:500)'),
    bank: field("overlap_fraction(land:zones, over=radius:500, where[kind = 'pond'])"),
    any: field("overlap_fraction(any_of[land where kind = 'pond'; land:flood], over=radius:500)"),
    of_parcel: field('overlap_fraction(land, over=parcel)', { confidence: 'parcel_match' }),
    any_of_parcel: field('overlap_fraction(any_of[land; land:flood], over=parcel)', { confidence: 'parcel_match' }),
    steep: field('overlap_fraction(any_of[land; ground:slope_percent where value > 15], over=parcel)'),
    coded: field('overlap_fraction(any_of[ground:code where value in (1, 3)], over=radius:500)'),
    odd: field('overlap_fraction(land, over=county)'),
  },
);
const parcels = dataset('parcel_store', { main: areas });
const NAMES = ['wet', 'pond', 'built', 'any', 'of_parcel', 'any_of_parcel', 'steep', 'coded'];

const random = randomOf(31);
const around = (lng: number, lat: number, span: number): [number, number] => [
  lng + span * (random() - 0.5),
  lat + span * (random() - 0.5),
];
const row = (geometry: Geometry, id: string, kind = 'marsh') => ({ geometry, id, kind });
const stars = (count: number, lng: number, lat: number, span: number, size: number, kind?: string) =>
  Array.from({ length: count }, (_, i) => {
    const [x, y] = around(lng, lat, span);
    return row(
      starOf(Math.floor(random() * 1e6), 6 + (i % 20), x, y, size).geometry,
      `s${i}`,
      kind ?? (i % 3 ? 'marsh' : 'pond'),
    );
  }).filter(r => isValid(r.geometry));

const LONG = process.env.PLAT_TEST === 'long';

/** Row houses that share walls, one built over twice, and one with a court. */
const houses = Array.from({ length: 400 }, (_, i) => {
  const [x, y] = [10 + (i % 20) * 0.0005 - 0.005, (Math.floor(i / 20) - 10) * 0.0006];
  return row(
    i % 7 === 0
      ? rectangle([x, y, x + 0.0005, y + 0.0003], [x + 0.0001, y + 0.0001, x + 0.0002, y + 0.0002])
      : rectangle([x, y, x + 0.0005, y + 0.0003]),
    `h${i}`,
  );
}).concat(
  row(rectangle([10.0001, 0.0001, 10.0012, 0.0008]), 'over'),
  row(rectangle([9.995, 0.0002, 10.0001, 0.00025]), 'long'),
);

/** Two banks of a winding river that overlap by slivers, because one has its vertices a bit off: a centimetre, or less. */
const river = Array.from({ length: 400 }, (_, i) => [
  9.98 + i * 0.0001,
  0.002 * Math.sin(i / 9) + 0.0005 * Math.sin(i),
]);
const bank = (off: number, far: number, lat = 0) =>
  fromGeoJSON({
    type: 'Polygon',
    coordinates: [
      [
        ...river.map(([x, y], i) => [x!, y! + lat + (i % 3 ? off : 0)]),
        [10.0199, far + lat],
        [9.98, far + lat],
        [9.98, river[0]![1]! + lat],
      ],
    ],
  });
const zones = [0, 0.2].flatMap(lat => [
  row(bank(0, 0.004, lat), `north ${lat}`),
  row(bank(lat ? 1e-9 : 1e-7, -0.004, lat), `south ${lat}`, 'pond'),
]);

const west = stars(60, 9.99, 0, 0.03, 0.002);
const east = stars(60, 10.02, 0, 0.03, 0.002);
const flood = [
  ...stars(12, 10, 0, 0.06, 0.008),
  row(rectangle([9.98, -0.02, 9.99, 0.02]), 'strip'),
  row(rectangle([9.98, -0.02, 9.99, 0.02]), 'strip again'),
];
const north = [...stars(20, -145, 72, 0.03, 0.004), row(rectangle([179.5, 51.5, 180, 52.5]), 'aleut', 'pond')];
const lots = [
  row(rectangle([10.001, 0.001, 10.004, 0.004], [10.002, 0.002, 10.003, 0.003]), 'court'),
  row(
    fromGeoJSON({
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [10.006, 0],
            [10.008, 0],
            [10.008, 0.002],
            [10.006, 0],
          ],
        ],
        [
          [
            [10.009, 0],
            [10.011, 0],
            [10.011, 0.003],
            [10.009, 0.001],
            [10.009, 0],
          ],
        ],
      ],
    }),
    'two parts',
  ),
  row(rectangle([9.99, 0.003, 9.993, 0.006]), 'first floor'),
  row(rectangle([9.99, 0.003, 9.993, 0.006]), 'second floor'),
];

/** Cells of 0.0001 degrees, about 11 m, from 9.99 east and 0.01 north. */
const GRID = { width: 250, height: 200, west: 9.99, north: 0.01, cell: 0.0001 };
const cellValues = (of: (x: number, y: number) => number) =>
  Float32Array.from({ length: GRID.width * GRID.height }, (_, i) => of(i % GRID.width, Math.floor(i / GRID.width)));
const codes = cellValues(() => Math.floor(random() * 5));
const cellBox = (x: number, y: number) =>
  rectangle([9.99 + x * 0.0001, 0.01 - (y + 1) * 0.0001, 9.99 + (x + 1) * 0.0001, 0.01 - y * 0.0001]);

let fixture: Fixture;
beforeAll(async () => {
  const near = [rectangle([9.9, -0.1, 10.1, 0.1])];
  fixture = await createFixture([land, parcels, ground], {
    land: {
      main: [
        { key: 'ME/a', place: 'here', coverage: near, features: west },
        { key: 'ME/b', place: 'here', coverage: near, features: east },
        { key: 'AK', place: 'there', coverage: [rectangle([-150, 71, -140, 73])], features: north.slice(0, -1) },
        {
          key: 'AK/2',
          place: 'rat',
          coverage: [rectangle([179, 51, 180, 53]), rectangle([-180, 51, -179, 53])],
          features: north.slice(-1),
        },
      ],
      flood: [{ key: 'ME', place: 'here', coverage: [rectangle([9.9, -0.1, 10.05, 0.1])], features: flood }],
      houses: [{ features: houses }],
      zones: [{ features: zones }],
    },
    ground: {
      main: [{ coverage: 'extent', raster: { ...GRID, values: cellValues((x, _y) => (x < 175 ? 0 : (x - 175) * 4)) } }],
      code: [{ coverage: 'extent', raster: { ...GRID, values: codes } }],
    },
    parcel_store: { main: [{ key: 'ME', place: 'here', coverage: near, features: lots }] },
  });
});
afterAll(() => fixture.remove());

const geometries = (rows: readonly { geometry: Geometry }[]) => rows.map(r => r.geometry);
const at = async (lng: number, lat: number, ...names: string[]) =>
  (await bothForms(fixture, names, [{ lng, lat }]))[0]!;

describe('overlap_fraction over a disc', () => {
  it('is what GEOS finds: dissolved, under a condition, over several layers, across partition edges', async () => {
    const points = Array.from({ length: 12 }, () => around(10.005, 0, 0.03)).map(([lng, lat]) => ({ lng, lat }));
    const answers = await bothForms(fixture, ['wet', 'pond', 'any', 'built'], points);
    const all = [...west, ...east];
    const ponds = all.filter(r => r.kind === 'pond');
    for (const [i, { lng, lat }] of points.entries()) {
      const mask = disc(lng, lat, 500);
      const expected = {
        wet: coveredShare(mask, geometries(all)),
        pond: coveredShare(mask, geometries(ponds)),
        any: coveredShare(mask, geometries([...ponds, ...flood])),
        built: coveredShare(mask, geometries(houses)),
      };
      for (const [name, share] of Object.entries(expected)) {
        expect(answers[i]![name]!.status).toBe('ok');
        // Half of the last decimal, and what the polygon may differ from the circle.
        expect(Math.abs((answers[i]![name]!.value as number) - share), `${name} at ${lng},${lat}`).toBeLessThan(6e-5);
      }
    }
    expect(answers.some(a => (a.wet!.value as number) > 0.2)).toBe(true);
    expect(answers.some(a => a.wet!.source.includes(';') || a.built!.value !== 0)).toBe(true);
  }, 60_000);

  it.each([
    ['by slivers', 0],
    ['by less than a square metre', 0.2],
  ])('is what GEOS finds of large neighbours that overlap %s', async (_, north) => {
    const points = Array.from({ length: 12 }, () => around(10, north, 0.01)).map(([lng, lat]) => ({ lng, lat }));
    const answers = await bothForms(fixture, ['zoned', 'bank'], points);
    const ponds = zones.filter(({ kind }) => kind === 'pond');
    for (const [i, { lng, lat }] of points.entries()) {
      const mask = disc(lng, lat, 500);
      const { zoned, bank: south } = answers[i]!;
      expect(Math.abs((zoned!.value as number) - coveredShare(mask, geometries(zones)))).toBeLessThan(6e-5);
      expect(Math.abs((south!.value as number) - coveredShare(mask, geometries(ponds)))).toBeLessThan(6e-5);
    }
    expect(answers.some(({ bank: south }) => (south!.value as number) > 0.2 && (south!.value as number) < 0.8)).toBe(
      true,
    );
    const apart = (await at(10, 0.05, 'zoned')).zoned!;
    expect(Object.is(apart.value, 0)).toBe(true);
  });

  it('is exactly 1 inside a polygon that holds the disc, 0 where there is none, absent outside the coverage', async () => {
    expect((await at(9.985, 0.0, 'any')).any).toMatchObject({ status: 'ok', value: 1 });
    expect((await at(9.92, 0.08, 'wet')).wet).toMatchObject({ status: 'ok', value: 0, source: 'source_of_here' });
    expect((await at(5, 5, 'wet')).wet).toMatchObject({ status: 'absent', notes: 'outside the coverage of land' });
    expect((await at(10.07, 0, 'any')).any).toMatchObject({
      status: 'absent',
      notes: 'outside the coverage of land:flood',
    });
  });

  it('holds at 72°N and across ±180', async () => {
    const [lng, lat] = [-145.002, 72.001];
    const expected = coveredShare(disc(lng, lat, 500), geometries(north.slice(0, -1)));
    expect(expected).toBeGreaterThan(0.05);
    expect(Math.abs(((await at(lng, lat, 'wet')).wet!.value as number) - expected)).toBeLessThan(6e-5);
    expect((await at(180, 52, 'wet')).wet!.value).toBe(0.5);
    expect((await at(-180, 52, 'wet')).wet!.value).toBe(0.5);
    const beside = (await at(-179.998, 52, 'wet')).wet!.value as number;
    const half = coveredShare(disc(180.002, 52, 500), [rectangle([179, 51, 180, 53])]);
    expect(Math.abs(beside - half)).toBeLessThan(6e-5);
  });

  it('fails for an area that does not exist', async () => {
    const { odd } = await at(10, 0, 'odd');
    expect(odd).toMatchObject({ status: 'failed', retryable: false });
    expect(odd!.error).toContain('over=county');
  });
});

describe('overlap_fraction over a parcel', () => {
  it('is what GEOS finds in a parcel with a hole and one of two parts, with the confidence of the match', async () => {
    const courts = [
      { lng: 10.0015, lat: 0.0015, lot: lots[0]! },
      { lng: 10.0075, lat: 0.0005, lot: lots[1]! },
    ];
    for (const { lng, lat, lot } of courts) {
      const { of_parcel, any_of_parcel } = await at(lng, lat, 'of_parcel', 'any_of_parcel');
      const mask = toGeoJSON(lot.geometry) as Polygonal;
      const all = [...west, ...east];
      expect(Math.abs((of_parcel!.value as number) - coveredShare(mask, geometries(all)))).toBeLessThan(5.1e-5);
      const wider = coveredShare(mask, geometries([...all, ...flood]));
      expect(Math.abs((any_of_parcel!.value as number) - wider)).toBeLessThan(5.1e-5);
      expect(of_parcel!.confidence).toBe('high');
    }
    expect((await at(10.0007, 0.003, 'of_parcel')).of_parcel).toMatchObject({ status: 'absent' });
    expect((await at(10.0009, 0.003, 'of_parcel')).of_parcel).toMatchObject({ status: 'ok', confidence: 'medium' });
  });

  it('is absent in stacked parcels and where there is none', async () => {
    const { of_parcel } = await at(9.991, 0.004, 'of_parcel');
    expect(of_parcel).toMatchObject({ status: 'absent', value: null, confidence: 'low' });
    expect(of_parcel!.notes).toContain('ambiguous');
    expect((await at(9.95, 0.05, 'of_parcel')).of_parcel).toMatchObject({ status: 'absent' });
  });
});

describe('overlap_fraction with a raster', () => {
  it('covers with the cells that meet the condition', async () => {
    const [lng, lat] = [10.0023, 0.0003];
    const { coded } = await at(lng, lat, 'coded');
    const cells: Geometry[] = [];
    codes.forEach((code, i) => {
      if (code === 1 || code === 3) cells.push(cellBox(i % GRID.width, Math.floor(i / GRID.width)));
    });
    expect(coded!.status).toBe('ok');
    expect(Math.abs((coded!.value as number) - coveredShare(disc(lng, lat, 500), cells))).toBeLessThan(6e-5);
  });

  it('covers with what is too steep, beside polygons, and is absent off the grid', async () => {
    const { steep } = await at(10.0075, 0.0005, 'steep');
    const mask = toGeoJSON(lots[1]!.geometry) as Polygonal;
    // From column 176 on every cell rises 4 m in 11; Horn's difference reaches half of that at column 175: 18 percent.
    const slope = rectangle([9.99 + 175 * 0.0001, -0.01, 10.1, 0.01]);
    const expected = coveredShare(mask, [...geometries([...west, ...east]), slope]);
    expect(expected).toBeGreaterThan(0.3);
    expect(expected).toBeLessThan(0.99);
    expect(steep!.status).toBe('ok');
    expect(Math.abs((steep!.value as number) - expected)).toBeLessThan(5.1e-5);
    const court = (await at(10.0015, 0.0015, 'steep', 'of_parcel'))!;
    expect(court.steep!.value).toBe(court.of_parcel!.value);
    expect((await at(9.95, 0.0, 'coded')).coded).toMatchObject({
      status: 'absent',
      notes: 'outside the coverage of ground:code',
    });
  });
});

describe('both forms', () => {
  it('agree at scattered points', async () => {
    const [wide, narrow] = LONG ? [120, 80] : [50, 40];
    const points = Array.from({ length: wide }, () => around(10, 0, 0.25)).map(([lng, lat]) => ({ lng, lat }));
    points.push(
      ...Array.from({ length: narrow }, () => around(10.003, 0.002, 0.02)).map(([lng, lat]) => ({ lng, lat })),
    );
    const answers = await bothForms(fixture, NAMES, points, 60);
    expect(new Set(answers.map(a => a.any!.status))).toEqual(new Set(['ok', 'absent']));
    expect(new Set(answers.map(a => a.of_parcel!.status))).toEqual(new Set(['ok', 'absent']));
  });

  it('agree on a damaged file, which leaves other fields alone', async () => {
    const broken = await createFixture([land, parcels, ground], {
      land: { main: [{ features: west }], flood: [{ features: flood }], houses: [{ features: houses }] },
      parcel_store: { main: [{ features: lots }] },
    });
    try {
      truncateSync(broken.path('land', 'flood', 'features'), 900);
      const [a] = await bothForms(broken, NAMES, [{ lng: 10.0015, lat: 0.0015 }]);
      expect(a!.any).toMatchObject({ status: 'failed', retryable: true });
      expect(a!.any_of_parcel!.status).toBe('failed');
      expect(a!.wet!.status).toBe('ok');
      expect(a!.of_parcel!.status).toBe('ok');
    } finally {
      broken.remove();
    }
  });
});
