import { spawn } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Place } from '../../datasets/place/place.ts';
import { lastRun } from '../../pipelines/refresh/journal.ts';
import { verify } from '../../pipelines/release/verify.ts';
import { run } from '../../pipelines/run.ts';
import { currentId, readManifest, releaseIds } from '../../query/release/home/releases.ts';
import { PLAT } from '../plat.ts';
import { ended } from './killing.ts';
import { SILENT } from './silent.ts';
import { FILES, feature, folder, provenance, square, village, wetlands, writeFiles } from './village.ts';

/** Steps of the last run of a home, in the order in which it began them. */
const stepsOf = (home: string) => (lastRun(home)?.steps ?? []).map(({ name }) => name);

const grid = (count: number, code: (i: number) => Record<string, unknown>) =>
  Array.from({ length: count }, (_, i) =>
    feature('Polygon', [square(-69 + (i % 100) * 0.001, 44 + Math.floor(i / 100) * 0.001, 0.0009)], code(i)),
  );

const lots = { dataset: 'parcel_store', layer: 'main', file: 'lots.geojson', columns: { apn: 'pin' }, provenance };
const place: Place = { ...village, layers: [wetlands, lots] };

/**
 * Sends SIGTERM to an ingest as soon as it holds the lock, and then as soon as it is in each step that a whole run tells of. Each time
 * the process ends without having ended its work, the release that `current` names is sound and no other one is there; after all of them
 * a run goes through and leaves nothing of the stopped ones.
 * @param threads of the ingest. @returns the steps.
 */
export async function stopInEachStep(threads: number): Promise<readonly string[]> {
  const [home, whole, sources] = [folder(), folder(), folder()];
  const releases = join(home, 'releases');
  const accept = ['village'];
  const placeFile = join(sources, 'village.json');
  const told = ['--sources', sources, '--place-file', placeFile, '--threads', `${threads}`, '--accept', 'village'];
  const ingest = (into: string) =>
    spawn(PLAT, ['ingest', 'run', ...told], {
      env: { ...process.env, PLAT_HOME: into },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  try {
    writeFiles(sources, { ...FILES, 'lots.geojson': grid(3, i => ({ pin: `L${i}` })) });
    await run({ home, sources, place, threads: 0, progress: SILENT, accept });
    const before = releaseIds(releases);
    writeFiles(sources, {
      'wetlands.geojson': grid(6000, i => ({ code: `P${i}` })),
      'lots.geojson': grid(6000, i => ({ pin: `L${i}` })),
    });
    writeFileSync(placeFile, JSON.stringify({ ...place, layers: [wetlands, { ...lots, unpublished: 'rest' }] }));
    cpSync(home, whole, { recursive: true });
    const { code, err } = await ended(ingest(whole));
    expect(code, err).toBe(0);
    const steps = stepsOf(whole);
    for (const [i, step] of ['the lock', ...steps].entries()) {
      rmSync(join(home, 'run.json'), { force: true });
      const child = ingest(home);
      const end = ended(child);
      // A short step may be over before it is seen: then the next is stopped in.
      const isThere = () =>
        i === 0 ? lastRun(home) !== null : stepsOf(home).some(name => steps.indexOf(name) >= i - 1);
      while (child.exitCode === null && !isThere()) await new Promise(resolve => setTimeout(resolve, 5));
      child.kill('SIGTERM');
      const { code, err } = await end;
      expect(code, `${step}: ${err}`).not.toBe(0);
      if (code !== null) expect(err, step).toContain('interrupted; nothing was published');
      expect(releaseIds(releases), step).toEqual(before);
      expect((await verify(releases, readManifest(releases, currentId(releases)!))).damage, step).toEqual([]);
    }
    await run({ home, sources, place, threads: 0, progress: SILENT, accept, overlay: { memoryMb: 256 } });
    expect((await verify(releases, readManifest(releases, currentId(releases)!))).damage).toEqual([]);
    const again = await run({ home, sources, place, threads: 0, progress: SILENT, accept });
    expect(again).toMatchObject({ cleaned: 0, changed: false });
    return steps;
  } finally {
    for (const path of [home, whole, sources]) rmSync(path, { recursive: true, force: true });
  }
}
