import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { LODES_SECTORS } from '../../../../datasets/codes/lodes-sectors.ts';
import { readDirectory } from '../../../../datasets/directory/source-directory.ts';
import { places } from '../../../../datasets/places.ts';
import { Client } from '../../../../ingest/acquire/client.ts';
import { parseMirror } from '../../../../ingest/acquire/mirror.ts';
import { countyOf } from '../../../../pipelines/place/new/county.ts';
import { newPlace, newPlaceYaml } from '../../../../pipelines/place/new/place-file.ts';
import { wantedLayers } from '../../../../pipelines/place/new/wanted.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import { effortsOf } from '../../../../pipelines/refresh/effort.ts';
import { ingestPlace } from '../../../../pipelines/refresh/ingest-place.ts';
import { outlookOf } from '../../../../pipelines/refresh/outlook.ts';
import { publishedFiles } from '../../../../pipelines/refresh/published-files.ts';
import { refreshPlaces } from '../../../../pipelines/refresh/refresh-places.ts';
import { text, writeShapefile } from '../../../../pipelines/world/format/shapefile.ts';
import { evaluateBatch } from '../../../../query/evaluate/batch-evaluate.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { Publisher } from '../../../ingest/acquire/publisher.ts';
import { dated, onHost, TODAY } from '../../acquire/area-publisher.ts';
import { SILENT } from '../../silent.ts';
import { written } from './county-forms.ts';

/** Rockingham, New Hampshire, between Maine and Massachusetts, as a box. */
const [COUNTY, WEST, SOUTH, EAST, NORTH] = ['33015', -71.4, 42.85, -70.75, 43.25] as const;
/** Blocks with a hundred jobs each, by state: in the county, and beyond its borders in the south and the east. */
const BLOCKS = {
  nh: [['330150000000001', -71.0, 42.87] as const, ['330150000000002', -71.2, 43.1] as const],
  ma: [['250090000000001', -71.0, 42.84] as const],
  me: [['230310000000001', -70.74, 43.1] as const],
} as const;
type State = keyof typeof BLOCKS;

const folder = mkdtempSync(join(tmpdir(), 'plat-neighbor-'));
const publisher = new Publisher();
const directory = readDirectory();
const { place: wanted } = newPlace(catalog, places.get('synthetic')!, directory, countyOf(COUNTY), {
  ...{ name: null, isOpen: false, answers: null },
  wanted: wantedLayers(catalog, ['census_lodes'], []),
});
const place = parsePlace(newPlaceYaml({ place: wanted, choice: '', left: [] }, directory, 'lodes.yaml'), 'lodes.yaml');
const home = join(folder, 'home');
const sources = join(folder, 'sources');

const csv = (rows: readonly (readonly (string | number)[])[]) =>
  gzipSync(rows.map(row => `${row.join(',')}\n`).join(''));

/** Publishes the files of one state. */
function publish(state: State): void {
  for (const { file, located } of publishedFiles(place)) {
    if (!file.startsWith(`census_lodes/${state}/`)) continue;
    const blocks = BLOCKS[state];
    const isCrosswalk = located.url.includes('xwalk');
    const jobs = ['C000', ...Object.keys(LODES_SECTORS)];
    const body = isCrosswalk
      ? csv([['tabblk2020', 'blklatdd', 'blklondd'], ...blocks.map(([code, lng, lat]) => [code, lat, lng])])
      : csv([['w_geocode', ...jobs], ...blocks.map(([code]) => [code, ...jobs.map(() => 100)])]);
    publisher.put(onHost(dated(located.url, file)), body);
  }
}

const client = () =>
  new Client({ mirror: parseMirror(`*=${publisher.origin}`), perHost: 2, retries: 0, wait: async () => {} });

/** Jobs about a place. */
async function jobsAt(lng: number, lat: number) {
  const about = { release: openRelease(home), catalog, cache: createCache(64) };
  const [found] = (await evaluateBatch(['jobs_within_5km'], [{ lng, lat }], about)).get('jobs_within_5km')!;
  const { value, confidence, notes } = found!;
  return { value, confidence, isTold: notes?.some(note => note.includes('ends nearer than 5 km')) ?? false };
}

beforeAll(async () => {
  await publisher.start();
  vi.useFakeTimers({ now: TODAY, toFake: ['Date'] });
  const ring = [
    [WEST, SOUTH],
    [EAST, SOUTH],
    [EAST, NORTH],
    [WEST, NORTH],
    [WEST, SOUTH],
  ] as [number, number][];
  const rows = [{ properties: { GEOID: COUNTY }, geometry: { type: 'Polygon' as const, coordinates: [ring] } }];
  const outline = await written('county.shp.zip', path =>
    writeShapefile(path, rows, { geometry: 'polygon', columns: [text('GEOID', 5)] }),
  );
  const county = publishedFiles(place).find(({ file }) => file === 'census_tiger/county.shp.zip')!;
  publisher.put(onHost(dated(county.located.url, county.file)), outline);
  publish('nh');
  publish('me');
});
afterAll(async () => {
  vi.useRealTimers();
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('what is not published of a neighbor', () => {
  it('is said by the plan', async () => {
    const own = client();
    const { files } = await outlookOf(place, sources, home, own);
    await own.close();
    const [effort] = effortsOf(place, files).filter(({ dataset }) => dataset === 'census_lodes');
    expect(effort!.missing.filter(why => !why.includes('/ma'))).toEqual([]);
    expect(effort!.missing).toHaveLength(2);
  });

  it('is left out and named; counts beside the border of the county say that they do not know what is beyond', async () => {
    const own = client();
    const report = await ingestPlace({ home, sources, place, client: own, datasets: [], threads: 0, progress: SILENT });
    await own.close();
    expect(report.left).toEqual([
      { layer: 'census_lodes:main', file: expect.stringContaining('/ma/'), why: expect.stringContaining('/ma') },
    ]);
    expect(await jobsAt(-71.0, 42.86)).toEqual({ value: 100, confidence: 'low', isTold: true });
    // Maine's file is there, but how far all is held is not known beside it either.
    expect(await jobsAt(-70.76, 43.1)).toEqual({ value: 100, confidence: 'low', isTold: true });
    expect(await jobsAt(-71.2, 43.1)).toEqual({ value: 100, confidence: 'high', isTold: false });
  });

  it('is taken by a refresh once it is there, and counts are those of both sides', async () => {
    publish('ma');
    const own = client();
    const files = publishedFiles(place);
    const report = await refreshPlaces({
      ...{ home, client: own, threads: 0, progress: SILENT },
      places: [{ place, sources, files, datasets: ['census_lodes'] }],
    });
    await own.close();
    expect(report.places.map(({ left, stale }) => [left, stale])).toEqual([[[], []]]);
    expect(await jobsAt(-71.0, 42.86)).toEqual({ value: 200, confidence: 'high', isTold: false });
    expect(await jobsAt(-70.76, 43.1)).toEqual({ value: 100, confidence: 'high', isTold: false });
  });
});
