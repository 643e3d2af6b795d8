import { spawn } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Place } from '../../../datasets/place.ts';
import synthetic from '../../../datasets/places/synthetic.ts';
import type { Manifest } from '../../../datasets/release.ts';
import { currentId, readManifest } from '../../../pipelines/manifest.ts';
import { runOverlay } from '../../../pipelines/overlay/run.ts';
import { SILENT } from '../../../pipelines/progress.ts';
import { run } from '../../../pipelines/run.ts';
import { verify } from '../../../pipelines/verify.ts';
import { generateWorld } from '../../../pipelines/world/generate.ts';
import { PLAT, seededDelays } from '../killing.ts';
import { folder } from '../world/truth.ts';

const KEPT = new Set([
  ...['parcel_store', 'census_tiger', 'usfws_nwi', 'usgs_3dep', 'mrlc_nlcd', 'usda_ssurgo', 'fema_nfhl', 'census_acs'],
  ...['usgs_padus', 'noaa_normals', 'fema_nri', 'usgs_wbd'],
]);
const place: Place = { ...synthetic, layers: synthetic.layers.filter(layer => KEPT.has(layer.dataset)) };
const now = new Date('2026-11-21T08:00:00.000Z');
const sources = folder();
/** Ingested without overlays, and copied for those that are killed. */
const plain = folder();
const homes = [sources, plain];
const overlayOf = (home: string) => runOverlay({ home, threads: 0, memoryMb: 256, progress: SILENT, now });
const manifestOf = (home: string): Manifest => {
  const releases = join(home, 'releases');
  return readManifest(releases, currentId(releases)!);
};
const copy = (): string => {
  const to = folder();
  homes.push(to);
  cpSync(plain, to, { recursive: true });
  return to;
};

/** What the overlays of a release are made of. */
const columnsOf = ({ overlays }: Manifest) =>
  Object.entries(overlays ?? {}).map(([parcels, own]) => [
    parcels,
    Object.values(own).map(({ files, inputs }) => [inputs, files.find(f => f.role === 'columns')?.sha256]),
  ]);

/** The same without the bytes: they also hold when they were computed. */
const inputsOf = (of: ReturnType<typeof columnsOf>) =>
  of.map(([parcels, own]) => [parcels, (own as [string, string][]).map(([inputs]) => inputs)]);

let full: ReturnType<typeof columnsOf>;
/** Milliseconds that `plat ingest overlay` takes here when nobody kills it. */
let wholeMs: number;

function start(home: string) {
  const env = { ...process.env, PLAT_HOME: home };
  const child = spawn(PLAT, ['ingest', 'overlay', '--threads', '0'], { env, stdio: 'ignore' });
  return { child, ended: new Promise<number | null>(resolve => child.on('close', resolve)) };
}

beforeAll(async () => {
  await generateWorld({ parcels: 1200, seed: 6, out: sources });
  await run({ home: plain, sources, place, threads: 0, progress: SILENT, now });
  const home = copy();
  const before = performance.now();
  expect(await start(home).ended).toBe(0);
  wholeMs = performance.now() - before;
  const other = copy();
  await overlayOf(other);
  full = columnsOf(manifestOf(other));
}, 300_000);
afterAll(() => {
  for (const path of homes) rmSync(path, { recursive: true, force: true });
});

it('an overlay killed at thirty random moments harms no release, and ends as if it had not been', {
  timeout: 900_000,
}, async () => {
  let killed = 0;
  let resumed = 0;
  let whole = 0;
  // Each run is killed three times, one after another, at moments of its whole time.
  const moments = seededDelays(11, 30).map(delay => ((delay - 250) / 1000) * wholeMs);
  for (let i = 0; i < moments.length; i += 3) {
    const home = copy();
    const releases = join(home, 'releases');
    const serving = currentId(releases)!;
    for (const moment of moments.slice(i, i + 3)) {
      const { child, ended } = start(home);
      await new Promise(resolve => setTimeout(resolve, moment));
      child.kill('SIGKILL');
      if ((await ended) !== null) continue;
      killed++;
      const id = currentId(releases)!;
      expect((await verify(releases, readManifest(releases, id))).damage).toEqual([]);
      // Either the release before, as it was, or the whole new one.
      expect(inputsOf(columnsOf(manifestOf(home)))).toEqual(id === serving ? [] : inputsOf(full));
    }
    const published = currentId(releases) !== serving;
    const report = await overlayOf(home);
    resumed += report.resumed;
    const columns = columnsOf(manifestOf(home));
    if (published) expect(inputsOf(columns)).toEqual(inputsOf(full));
    else {
      whole++;
      expect(columns).toEqual(full);
    }
    expect((await verify(releases, manifestOf(home))).damage).toEqual([]);
    expect(existsSync(join(releases, 'overlay'))).toBe(false);
    rmSync(home, { recursive: true, force: true });
  }
  expect(killed).toBeGreaterThan(20);
  expect(resumed).toBeGreaterThan(0);
  expect(whole).toBeGreaterThan(3);
});
