import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Place } from '../../../datasets/place/place.ts';
import { Client } from '../../../ingest/acquire/client.ts';
import { commands } from '../../../pipelines/commands.ts';
import { fetchPlaces } from '../../../pipelines/refresh/downloads.ts';
import { dueFiles } from '../../../pipelines/refresh/due.ts';
import { PlaceBook } from '../../../pipelines/refresh/place-book.ts';
import { publishedFiles } from '../../../pipelines/refresh/published-files.ts';
import { runPlaces } from '../../../pipelines/run.ts';
import { failureOf, placeStates } from '../../../query/release/home/place-states.ts';
import { currentId, readManifest, releaseIds } from '../../../query/release/home/releases.ts';
import { COUNTY_FILES, countyPlaces } from '../../agreement/county.ts';
import { mapServer } from '../../ingest/acquire/map-server.ts';
import { Publisher } from '../../ingest/acquire/publisher.ts';
import { calculated, NAMES } from '../refreshes.ts';
import { SILENT } from '../silent.ts';
import { FILES, feature, square, village, writeFiles } from '../village.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-places-'));
const home = join(folder, 'home');
const releases = join(home, 'releases');
/** Each place has a publisher of its own. */
const publishers = { village: new Publisher(), hamlet: new Publisher() };
type Name = keyof typeof publishers;
const before = { ...process.env };
let edition = 0;

function publish(place: Name, name: keyof typeof FILES, features: readonly unknown[] | string): void {
  const text = typeof features === 'string' ? features : JSON.stringify({ type: 'FeatureCollection', features });
  publishers[place].put(`/gis/${name}`, text, { etag: `"${edition++}"` });
}

/** What grows here grows on purpose. */
const accept = 'village/usfws_nwi:main/rows,hamlet/usfws_nwi:main/rows';
const acceptZoning = { accept: `${accept},village/local_zoning:main/rows` };

/** What programs read is what the command says of it: every report of these tests is checked by the schema that it prints. */
async function keepsContract({ dryRun = false }: Record<string, string | boolean>, said: string): Promise<void> {
  const schema = JSON.parse((await plat('refresh', { schema: true, dryRun, json: true })).out);
  const check = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
  check(JSON.parse(said));
  expect(check.errors).toBeNull();
}

async function plat(line: string, options: Record<string, string | boolean> = {}) {
  const [said, told]: [string[], string[]] = [[], []];
  const command = commands.find(({ name }) => name === line)!;
  const terminal = {
    ...{ json: options.json === true, interactive: false },
    out: (l: string) => said.push(l),
    err: (l: string) => told.push(l),
  };
  const code = await command.run([], { threads: '0', overlay: false, accept, ...options }, terminal as never);
  if (line === 'refresh' && terminal.json && !options.schema) await keepsContract(options, said[0]!);
  return { code, out: said.join('\n'), err: told.join('\n') };
}

const placeFile = (name: Name, more: object = {}) => {
  const url = (file: string) => `https://${name}.example/gis/${file}`;
  const files = Object.fromEntries(Object.keys(FILES).map(file => [file, { url: url(file) }]));
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ ...village, name, files, ...more }));
  return path;
};
const rowsOf = (dataset: string, place: string) =>
  readManifest(releases, currentId(releases)!).datasets[dataset]!.main!.partitions.find(p => p.place === place)!.rows;
const WETTER = [
  ...FILES['wetlands.geojson'],
  feature('Polygon', [square(-68.93, 44.06)], { code: 'PEM1' }),
  feature('Polygon', [square(-68.92, 44.06)], { code: 'PEM1' }),
];

beforeAll(async () => {
  for (const name of ['village', 'hamlet'] as const) {
    await publishers[name].start();
    for (const [file, features] of Object.entries(FILES)) publish(name, file as keyof typeof FILES, features);
  }
  process.env.PLAT_HOME = home;
  process.env.PLAT_MIRROR = Object.entries(publishers)
    .map(([name, { origin }]) => `${name}.example=${origin}`)
    .join(',');
  for (const name of ['village', 'hamlet'] as const)
    await plat('ingest run', { placeFile: placeFile(name), json: true });
});
afterAll(async () => {
  for (const name of ['PLAT_HOME', 'PLAT_MIRROR']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  for (const publisher of Object.values(publishers)) await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  for (const name of ['village', 'hamlet'] as const)
    for (const [file, features] of Object.entries(FILES)) publish(name, file as keyof typeof FILES, features);
});

describe('a refresh of several places', () => {
  it('publishes once what is new in all of them, and one file that fails keeps only its own layers', async () => {
    expect((await plat('refresh')).code).toBe(0);
    const [was, kept] = [releaseIds(releases).length, rowsOf('local_zoning', 'village')];
    publish('village', 'wetlands.geojson', WETTER);
    publish('hamlet', 'wetlands.geojson', WETTER);
    publish('village', 'zoning.geojson', '<html>sign in</html>');
    const refreshed = await plat('refresh', { json: true });
    expect(refreshed.code).toBe(3);
    expect(releaseIds(releases)).toHaveLength(was + 1);
    for (const place of ['village', 'hamlet']) expect(rowsOf('usfws_nwi', place)).toBeGreaterThan(4);
    expect(rowsOf('local_zoning', 'village')).toBe(kept);
    const said = JSON.parse(refreshed.out);
    expect(said.places.find(({ place }: { place: string }) => place === 'village').stale).toEqual([
      { layer: 'local_zoning:main', since: expect.any(String), why: expect.stringMatching(/a page came instead/) },
    ]);
    const { village: state, hamlet } = placeStates(home);
    expect(said.states).toEqual(JSON.parse(JSON.stringify(placeStates(home))));
    expect(state!.files['zoning.geojson']).toMatchObject({
      failedSince: expect.any(String),
      why: expect.stringMatching(/a page/),
    });
    expect(state).toMatchObject({ failedSince: expect.any(String), why: expect.stringMatching(/local_zoning:main/) });
    expect(state!.files['wetlands.geojson']).toMatchObject({ failedSince: null, newAt: expect.any(String) });
    expect(hamlet).toMatchObject({ failedSince: null, why: null });
    expect((await plat('place list', { failing: true })).out).toMatch(/^village .*fails since .*a page came instead/);
    expect((await plat('ingest status')).out).toMatch(/village: local_zoning:main stays as of 20\d\d-.*a page/);
    publish('village', 'zoning.geojson', FILES['zoning.geojson']);
    const again = await plat('refresh');
    expect(again).toMatchObject({ code: 0 });
    expect((await plat('place list', { failing: true })).out).toBe('');
  });

  it.each<[string, readonly unknown[], RegExp]>([
    ['a ruin that expectations refuse', FILES['zoning.geojson'].slice(0, 1), /1 rows?, \d+ in the last release/],
    ['a file without the columns', [feature('Polygon', [square(-68.99, 44.05)], { colour: 'red' })], /zone/],
  ])('keeps the layers of %s and takes the others', async (_, features, why) => {
    publish('village', 'zoning.geojson', [...FILES['zoning.geojson'], ...FILES['zoning.geojson']]);
    expect((await plat('refresh', acceptZoning)).code).toBe(0);
    const kept = rowsOf('local_zoning', 'village');
    publish('village', 'wetlands.geojson', WETTER);
    publish('village', 'zoning.geojson', features);
    const { code, err } = await plat('refresh');
    expect([code, err]).toEqual([3, expect.stringMatching(why)]);
    expect(rowsOf('local_zoning', 'village')).toBe(kept);
    expect(rowsOf('usfws_nwi', 'village')).toBeGreaterThan(4);
  });

  it('leaves a place of which nothing comes as it is, and says 1 when that is so of all', async () => {
    await plat('refresh', acceptZoning);
    const held = readManifest(releases, currentId(releases)!).datasets;
    const path = placeFile('hamlet', { layers: [{ ...village.layers[0], columns: { ATTRIBUTE: 'nothing' } }] });
    publish('village', 'zoning.geojson', [...FILES['zoning.geojson'], ...FILES['zoning.geojson']]);
    expect((await plat('refresh', { json: true })).code).toBe(3);
    expect(rowsOf('usfws_nwi', 'hamlet')).toBe(
      held.usfws_nwi!.main!.partitions.find(({ place }) => place === 'hamlet')!.rows,
    );
    expect(failureOf(placeStates(home).hamlet!)!.why).toMatch(/^place file: .*WETLAND_TYPE/s);
    const other = placeFile('village', { layers: [{ ...village.layers[0], columns: { ATTRIBUTE: 'nothing' } }] });
    expect((await plat('refresh', { json: true })).code).toBe(1);
    expect(readFileSync(path, 'utf8')).not.toBe(readFileSync(other, 'utf8'));
    for (const name of ['village', 'hamlet'] as const) placeFile(name);
  });

  it('says and keeps that a place file cannot be read, also while nothing is due, and what was known of its files', async () => {
    await plat('refresh');
    const path = placeFile('hamlet');
    const files = Object.keys(placeStates(home).hamlet!.files);
    const text = readFileSync(path, 'utf8');
    rmSync(path);
    expect(await plat('refresh', { due: true })).toMatchObject({
      code: 3,
      err: expect.stringContaining('hamlet.json'),
    });
    const { release } = JSON.parse((await plat('refresh', { due: true, json: true })).out);
    expect(release).toBe(currentId(releases));
    expect(Object.keys(placeStates(home).hamlet!.files).sort()).toEqual([...files, 'place file'].sort());
    expect((await plat('place list', { failing: true })).out).toMatch(/^ {2}place file .*fails since .*hamlet\.json/m);
    // It is said beside others that are refreshed, too.
    expect(await plat('refresh')).toMatchObject({ code: 3, err: expect.stringContaining('hamlet.json') });
    writeFileSync(path, text);
    expect((await plat('refresh', { due: true, json: true })).code).toBe(0);
    const planned = await plat('refresh', { dryRun: true, json: true });
    expect(
      JSON.parse(planned.out)
        .map(({ place }: { place: string }) => place)
        .sort(),
    ).toEqual(['hamlet', 'village']);
    expect((await plat('place list', { failing: true })).out).toBe('');
  });
});

it('calculations that would mix editions are made anew before publication', async () => {
  const own = { home: join(folder, 'county'), sources: join(folder, 'county-sources') };
  const { east } = countyPlaces(NAMES);
  const write = (files: object) => writeFiles(own.sources, files as never);
  rmSync(own.sources, { recursive: true, force: true });
  mkdirSync(own.sources, { recursive: true });
  write({ ...FILES, ...COUNTY_FILES });
  const refresh = (places: readonly Place[]) =>
    runPlaces({
      ...{ home: own.home, what: 'test', threads: 0, progress: SILENT, now: new Date('2026-11-21T08:00:00.000Z') },
      overlay: { memoryMb: 128 },
      places: places.map(place => ({ place, sources: own.sources, accept: [place.name], isPartial: true })),
    });
  const first = await refresh([village, east]);
  // The parcels stay, the wetlands beside them change.
  write({ 'wetlands.geojson': WETTER });
  for (const layer of east.layers) writeFileSync(join(own.sources, layer.file), '{"type": "FeatureCollection", "fea');
  const second = await refresh([village, east]);
  expect(second).toMatchObject({ changed: true, failures: [{ place: east.name }] });
  const manifest = readManifest(join(own.home, 'releases'), second.release!);
  const parcels = (id: string) => readManifest(join(own.home, 'releases'), id).datasets.parcel_store!.main!.version;
  expect(parcels(second.release!)).toBe(parcels(first.release!));
  expect(Object.keys(manifest.overlays!)).not.toEqual([]);
  expect(manifest.overlays).toEqual(await calculated(own.home));
});

describe('downloads', () => {
  afterEach(() => void vi.useRealTimers());
  const wanted = (name: Name) => {
    const path = placeFile(name);
    const place: Place = JSON.parse(readFileSync(path, 'utf8'));
    const files = publishedFiles(place).map(file => ({
      ...file,
      located: { ...file.located, url: file.located.url.replace(`https://${name}.example`, publishers[name].origin) },
    }));
    return { place, sources: join(folder, 'downloads', name), files };
  };
  const options = () => ({
    client: new Client({ retries: 0 }),
    now: () => new Date(),
    progress: SILENT,
    book: new PlaceBook(join(folder, 'book')),
  });

  it('of a host that hangs hold up nobody else and say since when, and what is left of its line fails at once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: new Date('2026-11-28T10:00:00Z') });
    const notes = new Set<string | undefined>();
    const progress = {
      ...SILENT,
      start: () => ({ advance: (_: number, note?: string) => notes.add(note), done() {} }),
    };
    let hung: (() => void)[] = [];
    for (const file of Object.keys(FILES))
      publishers.village.handlers.set(`/gis/${file}`, (_, response) => void hung.push(() => response.destroy()));
    const order: string[] = [];
    const failed: number[] = [];
    for await (const { wanted: one, failures } of fetchPlaces([wanted('village'), wanted('hamlet')], {
      ...options(),
      progress,
    })) {
      vi.advanceTimersByTime(12_000);
      order.push(one.place.name);
      failed.push(failures.size);
      for (const end of hung) end();
      hung = [];
    }
    publishers.village.handlers.clear();
    vi.useRealTimers();
    expect([...notes]).toContain(`waits for ${new URL(publishers.village.origin).host} since 2026-11-28T10:00:00Z`);
    expect([order, failed]).toEqual([
      ['hamlet', 'village'],
      [0, 3],
    ]);
    const { files } = placeStates(join(folder, 'book')).village!;
    expect(Object.values(files).filter(({ why }) => /was not asked again/.test(why!))).toHaveLength(1);
  });

  it('of a map server say which rows and columns it fails to send', async () => {
    const path = '/arcgis/rest/services/Zoning/MapServer/0';
    const rows = [1, 2, 3].map(id => ({ attributes: { OBJECTID: id, ZONE: 'R1' }, geometry: { x: -69, y: 44 } }));
    const fields = ['OBJECTID', 'ZONE', 'NOTE'].map((name, i) => ({ name, type: `esriFieldType${i === 0 ? 'OID' : 'String'}` })); // biome-ignore format: one line
    const of = { rows, field: 'OBJECTID', ids: [1, 2, 3], failing: new Map([[2, 'page' as const]]) };
    mapServer(publishers.village, path, { ...of, description: { fields } });
    const well = publishers.village.handlers.get(`${path}/query`)!;
    publishers.village.handlers.set(`${path}/query`, (request, response, url) =>
      /NOTE|\*/.test(url.searchParams.get('outFields') ?? '')
        ? void response.end('{"error": {"code": 400, "message": "Failed to execute query."}}')
        : well(request, response, url),
    );
    const said: (string | undefined)[] = [];
    const progress = { ...SILENT, start: () => ({ advance() {}, done: (note?: string) => void said.push(note) }) };
    const { place, sources, files } = wanted('village');
    const located = { ...files[0]!.located, via: 'arcgis' as const, url: `${publishers.village.origin}${path}` };
    const one = { place, sources, files: [{ ...files[0]!, located }] };
    const client = new Client({ retries: 0, wait: async () => {} });
    for await (const { failures } of fetchPlaces([one], { ...options(), client, progress }))
      expect([...failures.values()].map(({ message }) => message)).toEqual([]);
    expect(said[0]).toMatch(
      /; rows that its publisher fails to send: 2; columns that its publisher fails to send: NOTE$/,
    );
    publishers.village.handlers.clear();
  });

  it('are due by the cadence of the file where it has one', async () => {
    const sources = join(folder, 'downloads', 'hamlet');
    const place: Place = JSON.parse(readFileSync(placeFile('hamlet'), 'utf8'));
    const due = (files: Place['files']) =>
      dueFiles({ ...place, files: files! }, sources, new Date(Date.now() + 3 * 86_400_000)).map(({ file }) => file);
    expect(due(place.files)).toEqual([]);
    const zoning = { ...place.files!['zoning.geojson']!, cadence: 'daily' };
    expect(due({ ...place.files, 'zoning.geojson': zoning }).sort()).toEqual(['boundary.geojson', 'zoning.geojson']);
  });
});
