import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Place } from '../../datasets/place/place.ts';
import { verify } from '../../pipelines/release/verify.ts';
import { run } from '../../pipelines/run.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { PLAT } from '../plat.ts';
import { SILENT } from './silent.ts';
import { FILES, feature, folder, square, village, writeFiles } from './village.ts';

/** A sound home with one release, and changed sources for the next: 3,000 more wetlands, so that a run takes a while. */
export async function beforeKill(): Promise<{ home: string; sources: string; place: string; next: Place }> {
  const home = folder();
  const sources = folder();
  writeFiles(sources, FILES);
  await run({ home, sources, place: village, threads: 0, progress: SILENT });
  writeFiles(sources, {
    'wetlands.geojson': Array.from({ length: 3000 }, (_, i) =>
      feature('Polygon', [square(-69 + (i % 100) * 0.001, 44 + Math.floor(i / 100) * 0.001, 0.0009)], {
        code: `P${i}`,
      }),
    ),
  });
  const place = join(sources, 'village.json');
  writeFileSync(place, JSON.stringify(village));
  return { home, sources, place, next: village };
}

/** `plat ingest run` as a process of its own. */
export function startIngest(home: string, sources: string, place: string): ChildProcess {
  // The next sources are nothing like the first.
  const accept = ['--accept', (JSON.parse(readFileSync(place, 'utf8')) as Place).name];
  return spawn(PLAT, ['ingest', 'run', '--sources', sources, '--place-file', place, '--threads', '0', ...accept], {
    env: { ...process.env, PLAT_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Exit code and both outputs of a child. */
export async function ended(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  let out = '';
  let err = '';
  child.stdout!.on('data', chunk => (out += chunk));
  child.stderr!.on('data', chunk => (err += chunk));
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  return { code, out, err };
}

/**
 * Kills an ingest (signal 9) after each delay; each time the release that `current` names must be sound, and after all
 * of them a run must go through and clean up.
 * @returns how many of the children were killed before they had ended.
 */
export async function killAt(delays: readonly number[]): Promise<number> {
  const { home, sources, place, next } = await beforeKill();
  const releases = join(home, 'releases');
  const serving = currentId(releases)!;
  let killed = 0;
  try {
    for (const delay of delays) {
      const child = startIngest(home, sources, place);
      const end = ended(child);
      await new Promise(resolve => setTimeout(resolve, delay));
      child.kill('SIGKILL');
      if ((await end).code === null) killed++;
      const id = currentId(releases)!;
      expect((await verify(releases, readManifest(releases, id))).damage).toEqual([]);
      if (id === serving) expect(readManifest(releases, serving).id).toBe(serving);
    }
    const report = await run({ home, sources, place: next, threads: 0, progress: SILENT, accept: ['village'] });
    expect(report.counts[0]).toMatchObject({ read: 3000, written: 3000 });
    for (const id of [serving, report.release])
      expect((await verify(releases, readManifest(releases, id))).damage).toEqual([]);
    const again = await run({ home, sources, place: next, threads: 0, progress: SILENT, accept: ['village'] });
    expect(again).toMatchObject({ cleaned: 0, changed: false });
  } finally {
    for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
  }
  return killed;
}

/** Delays in ms from 250 to 1,250, the same for the same seed (Park and Miller's generator). */
export function seededDelays(seed: number, count: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return 250 + (state % 1000);
  });
}
