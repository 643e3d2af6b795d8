import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../pipelines/commands.ts';
import { runOf } from '../../pipelines/refresh/journal.ts';
import type { RunReport } from '../../pipelines/run.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { Publisher } from '../ingest/acquire/publisher.ts';
import { FILES, feature, square, village, writeFiles } from './village.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-weekly-'));
const home = join(folder, 'home');
const place = join(folder, 'hamlet.json');
const publisher = new Publisher();
const before = { ...process.env };

/** Publishes a file of the village as it stands in a folder. */
function publish(name: string, features: readonly unknown[]): void {
  writeFiles(folder, { [name]: features });
  const body = readFileSync(join(folder, name));
  publisher.put(`/gis/${name}`, body, { etag: `"${body.toString('base64').length}-${Math.random()}"` });
}

/** Runs a command in this process. */
async function plat(line: string, options: Record<string, string | boolean> = {}) {
  const said: string[] = [];
  const told: string[] = [];
  const found = commands.find(command => line === command.name || line.startsWith(`${command.name} `))!;
  const args = line.slice(found.name.length).trim().split(' ').filter(Boolean);
  const terminal = {
    json: options.json === true,
    interactive: false,
    out: (l: string) => said.push(l),
    err: (l: string) => told.push(l),
  };
  // What shrinks here shrinks on purpose.
  const accept = 'village/local_zoning:main,village/usfws_nwi:main';
  const code = await found.run(args, { threads: '0', overlay: false, accept, ...options }, terminal as never);
  return { code, out: said.join('\n'), err: told.join('\n') };
}

const report = async (line: string, options: Record<string, string | boolean> = {}): Promise<RunReport> =>
  JSON.parse((await plat(line, { placeFile: place, json: true, ...options })).out);
const current = () => currentId(join(home, 'releases'));

beforeAll(async () => {
  await publisher.start();
  process.env.PLAT_HOME = home;
  process.env.PLAT_MIRROR = `gis.village.example=${publisher.origin}`;
  for (const [name, features] of Object.entries(FILES)) publish(name, features);
  const files = Object.fromEntries(
    Object.keys(FILES).map(name => [name, { url: `https://gis.village.example/gis/${name}` }]),
  );
  const layers = village.layers.map(layer => ({ ...layer, provenance: { ...layer.provenance, vintage: '{vintage}' } }));
  writeFileSync(place, JSON.stringify({ ...village, files, layers }));
});
afterAll(async () => {
  for (const name of ['PLAT_HOME', 'PLAT_MIRROR']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a refresh', () => {
  it('plans what publishers have, and downloads and builds it', async () => {
    const planned = JSON.parse((await plat('ingest plan', { placeFile: place, json: true })).out);
    expect(planned.published.map((f: { isNew: boolean }) => f.isNew)).toEqual([true, true, true]);
    expect(planned.acquisitions).toMatchObject([
      { dataset: 'usfws_nwi', how: ['http'], bytes: expect.any(Number), why: null },
      { dataset: 'local_zoning', how: ['http'], from: ['https://gis.village.example/gis/zoning.geojson'], why: null },
    ]);
    expect(existsSync(join(home, 'sources'))).toBe(false);
    // Nothing of it was ever done here.
    expect(planned.recompute.seconds).toBeNull();
    const first = await report('ingest run');
    expect(first).toMatchObject({ changed: true, reused: 0 });
    const { provenance } = readManifest(join(home, 'releases'), first.release).datasets.usfws_nwi!.main!.partitions[0]!;
    expect(provenance.vintage).toBe('2026-03-01');
  });

  it('costs nothing where nothing changed, and rebuilds what changed alone', async () => {
    publisher.log.length = 0;
    expect(await report('ingest run')).toMatchObject({ changed: false, reused: 2 });
    expect(publisher.log.every(({ headers }) => headers['if-none-match'] !== undefined)).toBe(true);
    publish('zoning.geojson', [feature('Polygon', [square(-68.99, 44.05)], { zone: 'urd-1' })]);
    const plan = JSON.parse((await plat('ingest plan', { placeFile: place, json: true })).out);
    expect(plan.recompute.layers).toMatchObject([{ layer: 'local_zoning:main', partitions: 1 }]);
    const { steps } = runOf(home, current()!)!;
    const took = (step: string) => steps.find(({ name }) => name === step)!.seconds!;
    expect(plan.recompute.maps).toEqual(['zoning']);
    expect(plan.recompute.seconds).toBeCloseTo(
      took('local_zoning:main zoning.geojson') + took('map tiles of zoning'),
      6,
    );
    const changed = await report('ingest run');
    expect(changed).toMatchObject({ changed: true, reused: 1 });
    const manifest = readManifest(join(home, 'releases'), changed.release);
    expect(manifest.datasets.local_zoning!.main!.partitions[0]!.rows).toBe(1);
  });

  it('of one dataset leaves the others as they are, with all that they hold', async () => {
    const wetlands = () => readManifest(join(home, 'releases'), current()!).datasets.usfws_nwi;
    const held = wetlands();
    publish('wetlands.geojson', FILES['wetlands.geojson'].slice(0, 2));
    publish('zoning.geojson', FILES['zoning.geojson']);
    expect(await report('ingest run local_zoning')).toMatchObject({ changed: true });
    expect(wetlands()).toEqual(held);
    expect(readManifest(join(home, 'releases'), current()!).ingests.map(c => c.dataset)).toEqual([
      'usfws_nwi',
      'local_zoning',
    ]);
    await expect(plat('ingest run nonsense', { placeFile: place })).rejects.toThrow(
      /No datasets of the catalog: "nonsense"/,
    );
  });

  it('with --since leaves what publishers changed before', async () => {
    expect(await report('ingest run', { since: '2026-06-01' })).toMatchObject({ changed: false });
    await expect(plat('ingest run', { placeFile: place, since: 'June' })).rejects.toThrow(/YYYY-MM-DD/);
    expect(await report('ingest run')).toMatchObject({ changed: true });
  });

  it('can be looked at before it is published, and cannot undo what was published meanwhile', async () => {
    publish('zoning.geojson', FILES['zoning.geojson'].slice(1));
    const was = current();
    const { release } = await report('ingest run', { publish: false });
    expect(current()).toBe(was);
    expect((await plat('ingest verify')).out).toContain(`${release} is sound`);
    expect((await plat('ingest publish')).out).toBe(`published ${release}`);
    expect(current()).toBe(release);
    await expect(plat('ingest publish')).rejects.toThrow(/No release waits/);
    publish('zoning.geojson', FILES['zoning.geojson']);
    await report('ingest run', { publish: false });
    await plat('release rollback');
    await expect(plat('ingest publish')).rejects.toThrow(/run the ingest again/);
    await report('ingest run');
  });

  it('says how far it is, and goes on after it failed with what it had', async () => {
    publish('wetlands.geojson', [...FILES['wetlands.geojson'], ...FILES['wetlands.geojson']]);
    const source = join(home, 'sources/village/zoning.geojson');
    copyFileSync(source, `${source}.held`);
    publisher.put('/gis/zoning.geojson', '<html>sign in</html>', { etag: '"page"' });
    await expect(plat('ingest run', { placeFile: place })).rejects.toThrow(/a page came instead/);
    expect(readFileSync(source)).toEqual(readFileSync(`${source}.held`));
    const status = JSON.parse((await plat('ingest status', { json: true })).out);
    expect(status).toMatchObject({ state: 'failed', begun: { options: { placeFile: place } } });
    publish('zoning.geojson', FILES['zoning.geojson'].slice(0, 2));
    publisher.log.length = 0;
    expect(await plat('ingest resume')).toMatchObject({ code: 0 });
    expect((await plat('ingest status')).out).toMatch(/^done/);
    expect((await plat('ingest resume')).err).toMatch(/Nothing to resume/);
  });

  it('tells a run that was killed from one that runs', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const path = join(home, 'run.json');
    const state = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...state, state: 'running', pid: child.pid }));
    expect((await plat('ingest status')).code).toBe(0);
    expect((await plat('ingest resume')).code).toBe(1);
    const gone = new Promise(done => child.once('exit', done));
    child.kill('SIGKILL');
    await gone;
    expect((await plat('ingest status')).out).toMatch(/^killed/);
    expect((await plat('ingest resume')).code).toBe(0);
  });

  it('tells what differs between two releases', async () => {
    const was = current()!;
    publish('zoning.geojson', [
      ...FILES['zoning.geojson'].slice(1),
      feature('Polygon', [square(-68.95, 44.06)], { zone: 'new' }),
      feature('Polygon', [square(-68.94, 44.06)], { zone: 'new' }),
    ]);
    const { release } = await report('ingest run');
    const { layers } = JSON.parse((await plat(`ingest diff ${was} ${release}`, { json: true })).out);
    // Three of zoning were held before or are now: two stay, one goes or came earlier, two come.
    expect(layers).toEqual([
      expect.objectContaining({ dataset: 'local_zoning', layer: 'main', added: 3, removed: 1, changed: 0 }),
    ]);
    expect((await plat(`ingest diff ${release}`)).err).toMatch(/hold the same rows/);
    await expect(plat(`ingest diff ${was} ${release}`, { fields: 'nonsense' })).rejects.toThrow(/no attribute/);
  });

  it('of what is due asks those alone whose cadence says so', async () => {
    expect(JSON.parse((await plat('refresh', { due: true, dryRun: true, json: true })).out)).toEqual([
      { place: 'village', datasets: [] },
    ]);
    const record = join(home, 'sources/village/acquired.json');
    const taken = JSON.parse(readFileSync(record, 'utf8'));
    // Zoning is looked at every 91 days, wetlands every 182.
    const long = new Date(Date.now() - 100 * 86_400_000).toISOString();
    for (const file of Object.keys(taken)) taken[file].askedAt = long;
    writeFileSync(record, JSON.stringify(taken));
    expect(JSON.parse((await plat('refresh', { due: true, dryRun: true, json: true })).out)).toEqual([
      { place: 'village', datasets: ['local_zoning'] },
    ]);
    publisher.log.length = 0;
    expect((await plat('refresh', { due: true })).code).toBe(0);
    expect(publisher.log.some(({ path }) => path.includes('wetlands'))).toBe(false);
    expect(publisher.log.some(({ path }) => path.includes('zoning'))).toBe(true);
  });
});
