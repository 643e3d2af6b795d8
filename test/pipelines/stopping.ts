import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Place } from '../../datasets/place/place.ts';
import { verify } from '../../pipelines/release/verify.ts';
import { run } from '../../pipelines/run.ts';
import { currentId, readManifest, releaseIds } from '../../query/release/home/releases.ts';
import { PLAT } from '../plat.ts';
import { ended } from './killing.ts';
import { SILENT } from './silent.ts';
import { FILES, feature, folder, provenance, square, village, wetlands, writeFiles } from './village.ts';

/** A moment of an ingest, by what the file that tells of a run says: its first step that has such a name, and whether that has ended. */
export type Moment = 'lock' | 'layer' | 'tiles' | 'overlays' | 'publication';

const STEPS: Readonly<Record<Exclude<Moment, 'lock'>, { readonly name: RegExp; readonly ended: boolean }>> = {
  layer: { name: /^usfws_nwi/, ended: false },
  tiles: { name: /^map tiles/, ended: false },
  overlays: { name: /^overlays/, ended: false },
  publication: { name: /^overlays/, ended: true },
};

/** Whether a run has come to a moment. */
function isThere(home: string, moment: Moment): boolean {
  if (moment === 'lock') return existsSync(join(home, 'run.json'));
  if (!existsSync(join(home, 'run.json'))) return false;
  const { steps } = JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')) as {
    steps: { name: string; ended: boolean }[];
  };
  const { name, ended } = STEPS[moment];
  return steps.some(step => name.test(step.name) && step.ended === ended);
}

const grid = (count: number, code: (i: number) => Record<string, unknown>) =>
  Array.from({ length: count }, (_, i) =>
    feature('Polygon', [square(-69 + (i % 100) * 0.001, 44 + Math.floor(i / 100) * 0.001, 0.0009)], code(i)),
  );

const lots = { dataset: 'parcel_store', layer: 'main', file: 'lots.geojson', columns: { apn: 'pin' }, provenance };
const place: Place = { ...village, layers: [wetlands, lots] };

/**
 * Sends SIGTERM to an ingest at each of some moments. Each time the process ends without having ended its work, the release that
 * `current` names is sound and no other one is there; after all of them a run goes through and leaves nothing of the stopped ones.
 * @param threads of the ingest.
 */
export async function stopAt(moments: readonly Moment[], threads: number): Promise<void> {
  const [home, sources] = [folder(), folder()];
  const releases = join(home, 'releases');
  const accept = ['village'];
  try {
    writeFiles(sources, { ...FILES, 'lots.geojson': grid(3, i => ({ pin: `L${i}` })) });
    await run({ home, sources, place, threads: 0, progress: SILENT, accept });
    const before = releaseIds(releases);
    writeFiles(sources, {
      'wetlands.geojson': grid(6000, i => ({ code: `P${i}` })),
      'lots.geojson': grid(6000, i => ({ pin: `L${i}` })),
    });
    const placeFile = join(sources, 'village.json');
    writeFileSync(placeFile, JSON.stringify({ ...place, layers: [wetlands, { ...lots, unpublished: 'rest' }] }));
    const told = ['--sources', sources, '--place-file', placeFile, '--threads', `${threads}`, '--accept', 'village'];
    for (const moment of moments) {
      rmSync(join(home, 'run.json'), { force: true });
      const child = spawn(PLAT, ['ingest', 'run', ...told], {
        env: { ...process.env, PLAT_HOME: home },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const end = ended(child);
      while (child.exitCode === null && !isThere(home, moment)) await new Promise(resolve => setTimeout(resolve, 5));
      child.kill('SIGTERM');
      const { code, err } = await end;
      // What had been published already is whole too.
      if (code === 0 && moment === 'publication') continue;
      expect(code, `${moment}: ${err}`).not.toBe(0);
      if (code !== null) expect(err, moment).toContain('interrupted; nothing was published');
      expect(releaseIds(releases), moment).toEqual(before);
      expect((await verify(releases, readManifest(releases, currentId(releases)!))).damage, moment).toEqual([]);
    }
    await run({ home, sources, place, threads: 0, progress: SILENT, accept, overlay: { memoryMb: 256 } });
    expect((await verify(releases, readManifest(releases, currentId(releases)!))).damage).toEqual([]);
    const again = await run({ home, sources, place, threads: 0, progress: SILENT, accept });
    expect(again).toMatchObject({ cleaned: 0, changed: false });
  } finally {
    for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
  }
}
