import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAP_LAYERS } from '../../../datasets/map-layers.ts';
import type { Place } from '../../../datasets/place/place.ts';
import { type RunReport, run } from '../../../pipelines/run.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease, type Release } from '../../../query/release/open-release.ts';
import { tileOf } from '../../../query/tile/tile.ts';
import { TileArchive } from '../../../query/tile/tile-archive.ts';
import { served } from '../../agreement/parcels.ts';
import { SILENT } from '../silent.ts';
import { feature, folder, provenance, square, village, writeFiles } from '../village.ts';

const [WEST, EAST] = [-179.9, 179.9];
const LAT = 51.9;

/** A box over 180° as a ring whose edges jump from one side to the other, as files have it that were never cut. */
const over = (reach: number, south: number, north: number) => [
  [180 - reach, south],
  [-180 + reach, south],
  [-180 + reach, north],
  [180 - reach, north],
  [180 - reach, south],
];
const shift = (ring: number[][], x: number) => ring.map(([lng, lat]) => [lng! + x, lat!]);

/** The rows that lie at both sides: with edges that jump, cut at 180°, with a hole over 180°, and with longitudes beyond it. */
const ROWS: Readonly<Record<string, object>> = {
  RING: feature('Polygon', [over(0.004, LAT, LAT + 0.004)], { pin: 'RING' }),
  CUT: feature('MultiPolygon', [[square(179.996, LAT + 0.01, 0.004)], [square(-180, LAT + 0.01, 0.004)]], {
    pin: 'CUT',
  }),
  HOLED: feature('Polygon', [over(0.004, LAT + 0.02, LAT + 0.024), over(0.001, LAT + 0.021, LAT + 0.022).reverse()], {
    pin: 'HOLED',
  }),
  BEYOND: feature('Polygon', [shift(square(0, LAT + 0.03, 0.008), 179.996)], { pin: 'BEYOND' }),
};
const AT: Readonly<Record<string, number>> = {
  RING: LAT + 0.002,
  CUT: LAT + 0.012,
  HOLED: LAT + 0.0205,
  BEYOND: LAT + 0.034,
};

const [home, sources] = [folder(), folder()];
let report: RunReport;
let release: Release;
let service: Awaited<ReturnType<typeof served>>;
beforeAll(async () => {
  const plain = Array.from({ length: 40 }, (_, i) =>
    feature('Polygon', [square((i % 2 ? WEST : EAST) + (i >> 1) * 0.002, LAT, 0.0019)], { pin: `P${i}` }),
  );
  writeFiles(sources, {
    // The outline of the county is such a ring too.
    'boundary.geojson': [feature('Polygon', [over(0.2, 51.8, 52.1)])],
    'lots.geojson': [...plain.slice(0, 10), ...Object.values(ROWS), ...plain.slice(10)] as object[],
  });
  const place: Place = {
    ...village,
    state: 'AK',
    county: '02016',
    layers: [
      {
        dataset: 'parcel_store',
        layer: 'main',
        file: 'lots.geojson',
        columns: { apn: 'pin' },
        unpublished: ['rest'],
        provenance,
      },
    ],
  };
  report = await run({ home, sources, place, threads: 0, progress: SILENT, accept: ['village'] });
  release = openRelease(home);
  service = await served(home);
}, 300_000);
afterAll(async () => {
  await service?.close();
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});

/** The numbers of the parcels in the tile about a point. */
async function tileAt(lng: number, lat: number): Promise<unknown[]> {
  const z = MAP_LAYERS.parcels.maxZoom;
  const radians = (lat * Math.PI) / 180;
  const x = Math.floor((lng / 360 + 0.5) * 2 ** z);
  const y = Math.floor((0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) * 2 ** z);
  const bytes = await tileOf('parcels', { z, x, y }, new Layers(release, createCache(16)));
  const { parcels } = new VectorTile(new PbfReader(Buffer.from(bytes))).layers;
  return Array.from({ length: parcels?.length ?? 0 }, (_, i) => parcels!.feature(i).properties.apn);
}

it('rows over 180° are stored, and each that was cut or left out is named', () => {
  const [counts] = report.counts;
  expect(counts).toMatchObject({ read: 44 });
  expect(counts).toMatchObject({ written: 44, rejected: 0 });
  const named = report.samples.map(({ action, reason }) => `${action}: ${reason}`).join('\n');
  expect(named).toContain('180°');
});

it.each(Object.keys(AT))('%s is the parcel of points at both sides, and of none between', async pin => {
  for (const lng of [179.998, 179.9999, -179.9999, -179.998]) {
    const { fields } = await service.ask('/v1/fetch', { lat: AT[pin], lng, fields: ['parcel_apn'] });
    expect([lng, fields.parcel_apn.value]).toEqual([lng, pin]);
  }
  for (const lng of [179.99, -179.99]) {
    const { fields } = await service.ask('/v1/fetch', { lat: AT[pin], lng, fields: ['parcel_apn'] });
    expect([lng, fields.parcel_apn.status]).toEqual([lng, 'absent']);
  }
});

it('the hole of a ring over 180° is a hole at both sides', async () => {
  for (const lng of [179.9995, -179.9995]) {
    const { fields } = await service.ask('/v1/fetch', { lat: LAT + 0.0215, lng, fields: ['parcel_apn'] });
    expect([lng, fields.parcel_apn.value]).toEqual([lng, null]);
  }
});

it('they are found by search at both sides, once each, and in no area between', async () => {
  const found = async (...polygons: number[][][]) => {
    const value = { type: 'MultiPolygon', coordinates: polygons.map(ring => [ring]) };
    const state = { field: 'state', op: 'eq', value: 'AK' };
    const filters = [state, { field: 'geometry', op: 'intersects', value }];
    const { matches } = await service.ask('/v1/search', { filters, limit: 100 });
    return (matches as { apn: string }[])
      .map(({ apn }) => apn)
      .filter(apn => !apn.startsWith('P'))
      .sort();
  };
  const all = ['BEYOND', 'CUT', 'HOLED', 'RING'];
  const [east, west] = [square(179.9985, LAT, 0.0012), square(-179.9997, LAT, 0.0012)].map(ring =>
    ring.map(([lng, lat], i) => [lng!, i === 2 || i === 3 ? LAT + 0.036 : lat!]),
  ) as [number[][], number[][]];
  expect(await found(east)).toEqual(all);
  expect(await found(west)).toEqual(all);
  expect(await found(east, west)).toEqual(all);
  expect(await found(square(0, LAT, 0.1), square(-100, LAT, 0.1), square(100, LAT, 0.1))).toEqual([]);
});

it('they are drawn at both sides, in no tile between, and make few tiles', async () => {
  for (const [pin, lat] of Object.entries(AT)) {
    expect(await tileAt(179.998, lat), pin).toContain(pin);
    expect(await tileAt(-179.998, lat), pin).toContain(pin);
    for (const lng of [-120, -60, 0, 60, 120, 179.98, -179.98]) expect(await tileAt(lng, lat)).not.toContain(pin);
  }
  const { tiles } = release.manifest;
  const [, ground] = Object.entries(tiles!).find(([name]) => name.startsWith('parcels/'))!;
  const archive = await TileArchive.open(join(home, 'releases', ground.file!.path));
  try {
    const tiles = await archive.count();
    expect(tiles).toBeGreaterThan(10);
    // Of parcels within 30 km of 180°: a zoom has 65,536 around the earth.
    expect(tiles).toBeLessThan(3_000);
  } finally {
    archive.close();
  }
});
