import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rollBack } from '../../../pipelines/release/rollback.ts';
import { run } from '../../../pipelines/run.ts';
import { prune } from '../../../query/release/home/prune.ts';
import { releaseIds } from '../../../query/release/home/releases.ts';
import { Store } from '../../../query/release/home/store.ts';
import { SILENT } from '../silent.ts';
import { FILES, folder, village, writeFiles } from '../village.ts';

const [home, sources] = [folder(), folder()];
const releases = join(home, 'releases');
const ids: string[] = [];
const ingest = async (rows: number) => {
  writeFiles(sources, { ...FILES, 'zoning.geojson': FILES['zoning.geojson'].slice(0, rows) });
  const { release } = await run({ home, sources, place: village, threads: 0, progress: SILENT, accept: ['village'] });
  ids.push(release);
};
beforeAll(async () => {
  for (const rows of [3, 2, 1]) await ingest(rows);
});
afterAll(() => {
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});

const kept = async (keep: number, dry = true) => (await prune(new Store(home), keep, dry)).kept;

it('the release that serves after a rollback stays, and the last good one before what was rolled back from', async () => {
  const [first, second, third] = ids as [string, string, string];
  expect(await kept(1)).toEqual([second, third]);
  await rollBack(releases, undefined);
  expect(await kept(0)).toEqual([second]);
  expect(await kept(1)).toEqual([first, second]);
  expect(await kept(2)).toEqual([first, third, second]);
  // What is made on top of the release that serves is the next good one.
  await ingest(0);
  const fourth = ids.at(-1)!;
  expect(await kept(2)).toEqual([first, second, fourth]);
  expect(await kept(1, false)).toEqual([second, fourth]);
  // A second rollback goes where the first one did.
  expect(await rollBack(releases, undefined)).toEqual({ from: fourth, to: second });
});

it('nothing is removed while nothing says which files the current release has', async () => {
  const [, second] = ids as [string, string];
  const before = releaseIds(releases);
  rmSync(join(releases, `${second}.json`));
  await expect(kept(0, false)).rejects.toThrow(`No release ${second}: `);
  expect(releaseIds(releases)).toEqual(before.filter(id => id !== second));
});
