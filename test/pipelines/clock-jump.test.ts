import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { TakenFiles } from '../../ingest/acquire/taken.ts';
import { datasetsOf, dueFiles } from '../../pipelines/refresh/due.ts';
import { rollBack } from '../../pipelines/release/rollback.ts';
import { run } from '../../pipelines/run.ts';
import { prune } from '../../query/release/home/prune.ts';
import { currentId, releaseIds } from '../../query/release/home/releases.ts';
import { Store } from '../../query/release/home/store.ts';
import { SILENT } from './silent.ts';
import { FILES, folder, village, writeFiles } from './village.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 10, 25, 12);
const folders: string[] = [];
const fresh = () => {
  const path = folder();
  folders.push(path);
  return path;
};
afterEach(() => {
  vi.useRealTimers();
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

it('releases keep their order when the clock is set back between them', async () => {
  const [home, sources] = [fresh(), fresh()];
  const releases = join(home, 'releases');
  const options = { home, sources, place: village, threads: 0, progress: SILENT, accept: ['village'] };
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
  const ids: string[] = [];
  for (const kept of [3, 2, 1]) {
    writeFiles(sources, { ...FILES, 'zoning.geojson': FILES['zoning.geojson'].slice(0, kept) });
    ids.push((await run(options)).release);
    vi.setSystemTime(Date.now() - 30 * HOUR_MS);
  }
  expect(releaseIds(releases)).toEqual(ids);
  expect(currentId(releases)).toBe(ids[2]);
  expect(await run(options)).toMatchObject({ changed: false, release: ids[2] });
  expect((await prune(new Store(home), 1, false)).removed).toEqual([ids[0]]);
  expect(await rollBack(releases, undefined)).toEqual({ from: ids[2], to: ids[1] });
  expect(releaseIds(releases)).toEqual([ids[2], ids[1]]);
});

it('an ingest during which the clock jumps to and fro makes what another makes', async () => {
  const sources = fresh();
  writeFiles(sources, FILES);
  const steady = await run({
    home: fresh(),
    sources,
    place: village,
    threads: 0,
    progress: SILENT,
    now: new Date(NOON),
  });
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
  let jumps = 0;
  const flipping = setInterval(() => vi.setSystemTime(NOON + (jumps++ % 2 === 0 ? 1 : -1) * HOUR_MS), 5);
  const home = fresh();
  const jumping = await run({ home, sources, place: village, threads: 0, progress: SILENT, now: new Date(NOON) });
  clearInterval(flipping);
  expect(jumps).toBeGreaterThan(3);
  expect(jumping.release).toBe(steady.release);
  expect(currentId(join(home, 'releases'))).toBe(steady.release);
});

it('a publisher that was asked in the future is asked again: the clock was wrong then or is now', async () => {
  const sources = fresh();
  const files = { 'zoning.geojson': { url: 'https://gis.village.example/zoning.geojson' } };
  const taken = (askedAt: number) =>
    new TakenFiles(sources).set('zoning.geojson', {
      url: files['zoning.geojson'].url,
      stamp: '"1"',
      changedAt: null,
      vintage: '2026-01-01',
      bytes: 1,
      sha256: '0'.repeat(64),
      takenAt: new Date(askedAt).toISOString(),
      askedAt: new Date(askedAt).toISOString(),
    });
  const due = () => datasetsOf(dueFiles({ ...village, files }, sources, new Date(NOON)));
  await taken(NOON - HOUR_MS);
  expect(due()).toEqual([]);
  await taken(NOON + 24 * HOUR_MS);
  expect(due()).toEqual(['local_zoning']);
});
