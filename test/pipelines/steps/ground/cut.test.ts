import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { countyBox } from '../../../../datasets/codes/county-boxes.ts';
import type { Place, PlaceLayer } from '../../../../datasets/place/place.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import { run } from '../../../../pipelines/run.ts';
import { evaluate } from '../../../../query/evaluate/evaluate.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { installedIn } from '../../../../query/release/installed.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { randomOf } from '../../../query/star.ts';
import { SILENT } from '../../silent.ts';
import { feature, provenance, square, writeFiles } from '../../village.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-cut-'));
const sources = join(work, 'sources');
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Two counties of Maine as rectangles that meet at 44.8 degrees. */
const COUNTIES = { '23019': [-69.3, 44.8, -68.1, 46.3], '23009': [-68.8, 44.2, -68.1, 44.8] } as const;

/** Superfund sites and a raster of climates of half the country, parcels of both counties. */
const SITES: PlaceLayer = {
  dataset: 'epa_npl',
  layer: 'main',
  file: 'sites.geojson',
  columns: { SITE_EPA_ID: 'id', SITE_NAME: 'name', NPL_STATUS_CODE: 'status' },
  expect: { outside: 1, because: 'they are sites of half the country' },
  provenance,
};
const CLIMATES: PlaceLayer = {
  dataset: 'koppen',
  layer: 'main',
  file: 'climates.asc',
  options: { crs: 'EPSG:4326' },
  columns: {},
  coverage: { extent: true },
  provenance,
};
const LOTS: PlaceLayer = {
  dataset: 'parcel_store',
  layer: 'main',
  file: 'lots.geojson',
  columns: { apn: 'apn' },
  cut: { outline: true },
  provenance,
};

const placeOf = (county: keyof typeof COUNTIES, layers: readonly PlaceLayer[]): Place =>
  parsePlace(
    JSON.stringify({
      name: `county-${county}`,
      title: 'A county',
      state: 'ME',
      county,
      coverage: { file: 'counties.geojson', where: `code = '${county}'` },
      layers: layers.map(layer => (layer.dataset === 'koppen' ? layer : { ...layer, unpublished: 'rest' })),
    }),
    'county.json',
  );

const isCut = (layer: PlaceLayer, km: number): PlaceLayer => ({ ...layer, cut: { km, whole: true } });
const FIELDS = [
  'nearest_superfund_site_distance_m',
  'nearest_superfund_site_name',
  'superfund_site_count_within_5km',
  'koppen_code',
];

beforeAll(async () => {
  const random = randomOf(64);
  const sites = Array.from({ length: 3000 }, (_, i) => {
    const near = i < 300;
    const [x, y] = near ? [-69.5 + 1.6 * random(), 44 + 2.5 * random()] : [-110 + 45 * random(), 30 + 18 * random()];
    return feature('Point', [x, y], { id: `S${i}`, name: `Site ${i}`, status: 'F' });
  });
  const lots = Object.values(COUNTIES).flatMap(([west, , , north], k) =>
    Array.from({ length: 20 }, (_, i) =>
      feature('Polygon', [square(west + 0.02 + 0.03 * i, north - 0.02, 0.01)], { apn: `${k}-${i}` }),
    ),
  );
  const counties = Object.entries(COUNTIES).map(([code, [w, s, e, n]]) =>
    feature(
      'Polygon',
      [
        [
          [w, s],
          [e, s],
          [e, n],
          [w, n],
          [w, s],
        ],
      ],
      { code },
    ),
  );
  writeFiles(sources, { 'sites.geojson': sites, 'lots.geojson': lots, 'counties.geojson': counties });
  // Cells of a quarter of a degree from -90 to -60 and 35 to 50.
  const rows = Array.from({ length: 60 }, (_, y) => Array.from({ length: 120 }, (_, x) => 1 + ((x * 7 + y * 3) % 30)));
  const head = 'ncols 120\nnrows 60\nxllcorner -90\nyllcorner 35\ncellsize 0.25\nNODATA_value 0\n';
  writeFileSync(join(sources, 'climates.asc'), head + rows.map(row => row.join(' ')).join('\n'));
});

async function ingested(home: string, place: Place) {
  const report = await run({ home: join(work, home), sources, place, threads: 0, progress: SILENT });
  return new Map(report.counts.map(count => [count.layer === 'main' ? count.dataset : count.layer, count]));
}

const answersAt = (home: string, at: { lng: number; lat: number }) =>
  evaluate(FIELDS, at, {
    release: openRelease(join(work, home)),
    catalog,
    cache: createCache(64),
    deadline: Date.now() + 60_000,
  });

/** Points at the corners, on the edges and all over a county. */
function pointsOf([west, south, east, north]: readonly [number, number, number, number]) {
  const random = randomOf(7);
  const inner = 1e-4;
  const all = Array.from({ length: 24 }, (_, i) => {
    const [x, y] = [random(), random()];
    const lng = i % 4 === 0 ? west + inner : i % 4 === 1 ? east - inner : west + (east - west) * x;
    const lat = i % 4 === 2 ? south + inner : i % 4 === 3 ? north - inner : south + (north - south) * y;
    return { lng, lat };
  });
  return [...all, { lng: west + inner, lat: south + inner }, { lng: east - inner, lat: north - inner }];
}

const plain = (answers: Awaited<ReturnType<typeof answersAt>>) =>
  Object.fromEntries(
    Object.entries(answers).map(([name, { value, status, confidence, notes }]) => [
      name,
      { value, status, confidence, notes },
    ]),
  );

describe('files of the nation that are cut to a county', () => {
  it('answer at its edge as whole ones do, alone and beside a county that was cut from the same files', async () => {
    await ingested(
      'whole',
      placeOf('23019', [
        { ...SITES, national: true },
        { ...CLIMATES, national: true },
      ]),
    );
    const counts = await ingested('cut', placeOf('23019', [isCut(SITES, 200), { ...CLIMATES, cut: { km: 2 } }]));
    const sites = counts.get('epa_npl')!;
    expect(sites.read).toBe(3000);
    expect(sites.written).toBeLessThan(600);
    expect(sites.notes).toContain(`${sites.skipped} rows beyond the county and 200 km about it were left out`);
    const [west, south, east, north] = countyBox('23019')!;
    const source = installedIn(openRelease(join(work, 'cut')), () => {}).find(one => one.dataset === 'epa_npl')!;
    const reach = source.reach!;
    expect(reach[1]).toBeLessThan(south - 1.8);
    expect(reach[0]).toBeLessThan(west - 2.5);
    expect(reach[2]).toBeGreaterThan(east + 2.5);
    expect(reach[3]).toBeGreaterThan(north + 1.8);
    const wanted = new Map<object, ReturnType<typeof plain>>();
    for (const at of pointsOf(COUNTIES['23019'])) {
      wanted.set(at, plain(await answersAt('whole', at)));
      expect(plain(await answersAt('cut', at)), JSON.stringify(at)).toEqual(wanted.get(at));
    }
    await ingested('cut', placeOf('23009', [isCut(SITES, 200), { ...CLIMATES, cut: { km: 2 } }]));
    for (const [at, answers] of wanted)
      expect(plain(await answersAt('cut', at as { lng: number; lat: number })), JSON.stringify(at)).toEqual(answers);
    for (const at of pointsOf(COUNTIES['23009']))
      expect(plain(await answersAt('cut', at)), JSON.stringify(at)).toEqual(plain(await answersAt('whole', at)));
  });

  it('are read also where all that is kept lies beside the county', async () => {
    const [, south] = countyBox('23019')!;
    const beside = Array.from({ length: 5 }, (_, i) =>
      feature('Point', [-69 + i / 10, south - 0.5], { id: `B${i}`, name: `Beside ${i}`, status: 'F' }),
    );
    writeFiles(sources, { 'beside.geojson': beside });
    await ingested('beside', placeOf('23019', [isCut({ ...SITES, file: 'beside.geojson' }, 200)]));
    const { nearest_superfund_site_name: name } = await answersAt('beside', { lng: -68.6, lat: 45 });
    expect(name).toMatchObject({ status: 'ok', value: 'Beside 4' });
  });

  it('say that the nearest is not certain where they were cut nearer than the field looks', async () => {
    const far = { lng: -69.2, lat: 46.2 };
    await ingested('near', placeOf('23019', [isCut({ ...SITES, where: "name = 'Site 2999'" }, 1)]));
    const answers = await answersAt('near', far);
    expect(answers.nearest_superfund_site_distance_m).toMatchObject({ status: 'absent', confidence: 'low' });
    expect(answers.nearest_superfund_site_distance_m!.notes).toContain('beyond it nothing is known');
  });
});

it('parcels of a state are cut to the outline of a county by their middle', async () => {
  const counts = await ingested('lots', placeOf('23009', [LOTS]));
  expect(counts.get('parcel_store')).toMatchObject({ read: 40, written: 20, skipped: 20, rejected: 0 });
});
