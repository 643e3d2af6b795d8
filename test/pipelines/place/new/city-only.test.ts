import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { readDirectory } from '../../../../datasets/directory/source-directory.ts';
import { places } from '../../../../datasets/places.ts';
import { Client } from '../../../../ingest/acquire/client.ts';
import { parseMirror } from '../../../../ingest/acquire/mirror.ts';
import { countyOf } from '../../../../pipelines/place/new/county.ts';
import { newPlace, newPlaceYaml } from '../../../../pipelines/place/new/place-file.ts';
import { wantedLayers } from '../../../../pipelines/place/new/wanted.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import { ingestPlace } from '../../../../pipelines/refresh/ingest-place.ts';
import { publishedFiles } from '../../../../pipelines/refresh/published-files.ts';
import type { RunReport } from '../../../../pipelines/run.ts';
import type { Feature } from '../../../../pipelines/world/format/feature.ts';
import { text, writeShapefile } from '../../../../pipelines/world/format/shapefile.ts';
import { evaluateBatch } from '../../../../query/evaluate/batch-evaluate.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { Publisher } from '../../../ingest/acquire/publisher.ts';
import { dated, onHost, serveFeatures, TODAY } from '../../acquire/area-publisher.ts';
import { SILENT } from '../../silent.ts';
import { collection, written } from './county-forms.ts';

/** Cleveland County, Oklahoma, as the directory has it: only Moore publishes parcels, Moore and Norman addresses. */
const COUNTY = '40027';
const directory = readDirectory();
const folder = mkdtempSync(join(tmpdir(), 'plat-city-only-'));
const publisher = new Publisher();

type Corner = readonly [lng: number, lat: number];
const MOORE: Corner = [-97.5, 35.33];
const NORMAN: Corner = [-97.45, 35.2];

/** A square of some degrees, by its south-west corner. */
const square = ([x, y]: Corner, size: number) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
      [x, y],
    ],
  ] as [number, number][][],
});

const outlines = (rows: readonly Feature[]) =>
  written('outlines.shp.zip', path =>
    writeShapefile(path, rows, { geometry: 'polygon', columns: [text('GEOID', 10), text('NAME', 60)] }),
  );

/** Parcels and addresses in rows of thirty, from the corner of a city. */
const LOTS = Array.from({ length: 60 }, (_, i) => ({
  i,
  street: i < 30 ? 'MAIN' : 'ELM',
  dx: 0.0004 * (i % 30),
  dy: i < 30 ? 0 : 0.001,
}));
const parcelsOf = ([x, y]: Corner) =>
  LOTS.map(({ i, dx, dy }) => ({
    properties: { PARCELNO: `M-${1000 + i}` },
    geometry: square([x + 0.002 + dx, y + 0.002 + dy], 0.0003),
  }));
const addressesOf = ([x, y]: Corner, columns: (number: number, street: string) => Record<string, unknown>) =>
  LOTS.map(({ i, street, dx, dy }) => ({
    properties: columns(100 + i, street),
    geometry: { type: 'Point' as const, coordinates: [x + 0.00215 + dx, y + 0.00215 + dy] },
  }));

/** What stands at the address of each file of the place. */
const FILES: Readonly<Record<string, () => string | Promise<Buffer>>> = {
  'census_tiger/county.shp.zip': () =>
    outlines([
      { properties: { GEOID: COUNTY, NAME: 'Cleveland' }, geometry: square([-97.67, 34.93], 0.44) },
      { properties: { GEOID: '40109', NAME: 'Oklahoma' }, geometry: square([-97.67, 35.38], 0.3) },
    ]),
  // The code that the directory has of Norman is here that of another city.
  'census_tiger/ok/place.shp.zip': () =>
    outlines([
      { properties: { GEOID: '4049200', NAME: 'Moore' }, geometry: square(MOORE, 0.05) },
      { properties: { GEOID: '4052500', NAME: 'Noble' }, geometry: square([-97.4, 35.1], 0.05) },
    ]),
  'openaddresses/ok/city_of_moore/parcels-city.geojson': () => collection(parcelsOf(MOORE)),
  'openaddresses/ok/city_of_moore/addresses-city.geojson': () =>
    collection(
      addressesOf(MOORE, (Address, Street) => ({
        ...{ Address, PreDir: 'N', Street, StreetType: 'ST', SufDir: null, City: 'MOORE', Zipcode: '73160' },
      })),
    ),
  'openaddresses/ok/city_of_norman/addresses-city.geojson': () =>
    collection(
      addressesOf(NORMAN, (F_ADD, STREET_NAME) => ({
        ...{ F_ADD, PRE_DIR: null, STREET_NAME, STREET_TYPE: 'ST', SUF_DIR: null },
      })),
    ),
};

describe('a county of which only cities publish parcels and addresses, one of them with a wrong code', () => {
  const { place: wanted } = newPlace(catalog, places.get('synthetic')!, directory, countyOf(COUNTY), {
    ...{ name: null, isOpen: false, answers: null },
    wanted: wantedLayers(catalog, ['parcel', 'usdot_nad'], []),
  });
  const place = parsePlace(newPlaceYaml({ place: wanted, choice: '', left: [] }, directory, 'city.yaml'), 'city.yaml');
  const home = join(folder, 'home');
  let report: RunReport;

  beforeAll(async () => {
    await publisher.start();
    for (const { file, located } of publishedFiles(place)) {
      const body = await FILES[file]!();
      const path = onHost(dated(located.url, file));
      if (typeof body === 'string') serveFeatures(publisher, path, body);
      else publisher.put(path, body);
    }
    vi.useFakeTimers({ now: TODAY, toFake: ['Date'] });
    const client = new Client({ mirror: parseMirror(`*=${publisher.origin}`), perHost: 2, wait: async () => {} });
    const options = { home, sources: join(folder, 'sources'), place, client, datasets: [], threads: 0 };
    report = await ingestPlace({ ...options, progress: SILENT });
    await client.close();
  });
  afterAll(async () => {
    vi.useRealTimers();
    await publisher.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A field at a place: its value, and the notes or the reason. */
  async function answerAt(name: string, lng: number, lat: number) {
    const about = { release: openRelease(home), catalog, cache: createCache(64) };
    const [found] = (await evaluateBatch([name], [{ lng, lat }], about)).get(name)!;
    return { value: found!.value, said: (found!.notes ?? []).join() };
  }

  it('has the city whose outline there is, and names the other one', () => {
    const file = 'openaddresses/ok/city_of_norman/addresses-city.geojson';
    expect(report.left).toEqual([
      { layer: 'usdot_nad:main', file, why: expect.stringContaining("GEOID = '4052500' and NAME like 'Norman%'") },
    ]);
    expect(report.counts.map(({ dataset, written: rows }) => [dataset, rows])).toEqual([
      ['usdot_nad', 60],
      ['parcel_store', 60],
    ]);
  });

  it('answers in the city, and elsewhere says that nothing is known', async () => {
    const at = ([x, y]: Corner) => [x + 0.00215, y + 0.00215] as const;
    expect((await answerAt('parcel_apn', ...at(MOORE))).value).toBe('M-1000');
    expect((await answerAt('nearest_address', ...at(MOORE))).value).toBe('100 N MAIN ST');
    for (const spot of [at(NORMAN), [-97.3, 35.0] as const])
      for (const name of ['parcel_apn', 'nearest_address']) {
        const { value, said } = await answerAt(name, ...spot);
        expect([value, said], name).toEqual([
          null,
          expect.stringMatching(/outside the coverage|no parcel data covers/),
        ]);
      }
  });
});
