import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Place } from '../../../datasets/place/place.ts';
import synthetic from '../../../datasets/places/synthetic.ts';
import type { Manifest } from '../../../datasets/release.ts';
import { runOverlay } from '../../../pipelines/overlay/run.ts';
import { verify } from '../../../pipelines/release/verify.ts';
import { run } from '../../../pipelines/run.ts';
import { generateWorld } from '../../../pipelines/world/generate.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { PLAT } from '../../plat.ts';
import { seededDelays } from '../killing.ts';
import { SILENT } from '../silent.ts';
import { folder } from '../world/truth.ts';

const KEPT = new Set([
  ...['parcel_store', 'census_tiger', 'usfws_nwi', 'usgs_3dep', 'mrlc_nlcd', 'usda_ssurgo', 'fema_nfhl', 'census_acs'],
  ...['usgs_padus', 'noaa_normals', 'fema_nri', 'usgs_wbd'],
]);
const place: Place = { ...synthetic, layers: synthetic.layers.filter(layer => KEPT.has(layer.dataset)) };
/** Of each three runs are to be killed; in some one ends before. */
const MOST_HOMES = 25;
/** Milliseconds a run may go on at most once it has finished a block. */
const AFTER_BLOCK_MS = 400;
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
/** Milliseconds that `plat ingest overlay` took here lately when nobody killed it. */
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

/** Whether a block of an overlay that was not published yet stands there. */
const blockStands = (home: string): boolean => {
  const stages = join(home, 'releases', 'overlay');
  return existsSync(stages) && readdirSync(stages, { recursive: true }).some(name => String(name).endsWith('.block'));
};

it('an overlay killed at thirty random moments harms no release, and ends as if it had not been', {
  timeout: 1_800_000,
}, async () => {
  let killed = 0;
  let resumed = 0;
  let whole = 0;
  // Parts of a run: other work on the machine makes runs longer or shorter, so that one that ends first tells how long.
  const parts = seededDelays(11, 3 * MOST_HOMES).map(delay => (delay - 250) / 1000);
  for (let i = 0; i < parts.length && killed < 30; i += 3) {
    const home = copy();
    const releases = join(home, 'releases');
    const serving = currentId(releases)!;
    for (const [nth, part] of parts.slice(i, i + 3).entries()) {
      // The third goes on until there is something that the next run can take over, and for a while then.
      const waits = nth === 2 && !blockStands(home);
      const { child, ended } = start(home);
      const begun = performance.now();
      if (waits) while (child.exitCode === null && !blockStands(home)) await setTimeout(5);
      await Promise.race([ended, setTimeout(part * (waits ? AFTER_BLOCK_MS : wholeMs))]);
      child.kill('SIGKILL');
      if ((await ended) !== null) {
        wholeMs = performance.now() - begun;
        break;
      }
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
  expect(killed).toBeGreaterThanOrEqual(30);
  expect(resumed).toBeGreaterThan(0);
  expect(whole).toBeGreaterThan(3);
});
