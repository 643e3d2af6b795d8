import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { stampOf } from '../format/file-stamp.ts';
import { parseManifest } from '../release/manifest.ts';
import { SoundRecord } from '../release/sound-record.ts';
import { type Judged, sha256Of } from '../release/verified-file.ts';
import type { CheckerSetup, Found, Watch } from './file-checker.ts';
import { type Watched, watchedFiles } from './watched-files.ts';

/** How often the manifest and large files are looked at, and all of them. */
const EVERY_MS = 500;
const ALL_EVERY_MS = 5_000;

const { home, largeBytes } = workerData as CheckerSetup;
const record = new SoundRecord(home);
/** What the record does not hold, by hash. */
const judged = new Map<string, Judged>();
/** What is wrong with a file, by its path. */
const problems = new Map<string, string>();
let release: string | null = null;
/** What is wrong with the manifest, which a restart would need, and the stamp that it had then. */
let manifest: { readonly stamp: string; readonly problem: string | null } = { stamp: '', problem: null };
let watched: readonly Watched[] = [];
let changed: () => void = () => {};
let told = '';
let allAt = Number.NEGATIVE_INFINITY;

function watch(): void {
  try {
    watched = release === null ? [] : watchedFiles(home, release);
  } catch {
    // The engine opens the same release and reports what is wrong with it.
    watched = [];
  }
  allAt = Number.NEGATIVE_INFINITY;
}

/** Reads the manifest when its stamp is new. */
function checkManifest(id: string): typeof manifest {
  const path = join(home, 'releases', `${id}.json`);
  const stamp = stampAt(path)?.stamp;
  if (stamp === undefined) return { stamp: '', problem: 'it is missing' };
  if (stamp === manifest.stamp) return manifest;
  try {
    parseManifest(readFileSync(path), id, join(home, 'releases'));
    return { stamp, problem: null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { stamp, problem: code === undefined ? message : `it cannot be read (${code})` };
  }
}

parentPort!.on('message', (message: Watch) => {
  release = message.release;
  manifest = { stamp: '', problem: null };
  watch();
  changed();
});

const isLarge = ({ bytes }: Watched) => bytes > largeBytes;

function tell(): void {
  const found: Found = {
    release,
    judged: judged.size ? watched.filter(isLarge).flatMap(({ sha256 }) => judged.get(sha256) ?? []) : [],
    damage: [
      ...(manifest.problem === null ? [] : [{ file: 'manifest', layers: [], problem: manifest.problem }]),
      ...(problems.size ? watched : []).flatMap(({ name, layers, path }) => {
        const problem = problems.get(path);
        return problem === undefined ? [] : [{ file: name, layers, problem }];
      }),
    ],
  };
  const text = JSON.stringify(found);
  if (text === told) return;
  told = text;
  parentPort!.postMessage(found);
}

const stampAt = (path: string) => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? { stamp: stampOf(stat), bytes: stat.size } : null;
};

/** Hashes one file when its stamp is new. A file that changed meanwhile is left to the next look. @returns what is wrong. */
async function check(file: Watched): Promise<string | null> {
  const { path, sha256, bytes } = file;
  const before = stampAt(path);
  // Whoever asks for such a file sees that without hashing.
  if (!before) return 'it is missing';
  if (before.bytes !== bytes) return `it holds ${before.bytes} bytes, expected ${bytes}`;
  const { stamp } = before;
  if (record.get(sha256) === stamp) return null;
  const cached = judged.get(sha256);
  if (cached?.stamp !== stamp) {
    const sound = (await sha256Of(path)) === sha256;
    if (stampAt(path)?.stamp !== stamp) return problems.get(path) ?? null;
    if (sound && record.add(sha256, stamp)) judged.delete(sha256);
    else judged.set(sha256, { sha256, stamp, sound });
    if (isLarge(file)) tell();
    if (sound) return null;
  } else if (cached.sound) return null;
  return 'its bytes do not have the checksum of the release';
}

for (;;) {
  const all = performance.now() - allAt >= ALL_EVERY_MS;
  if (all) allAt = performance.now();
  if (release !== null) manifest = checkManifest(release);
  let repaired = false;
  for (const file of watched) {
    if (!all && !isLarge(file)) continue;
    let problem: string | null;
    try {
      problem = await check(file);
    } catch (error) {
      problem = `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`;
    }
    if (problem !== null) problems.set(file.path, problem);
    // What a shard names is known now that it is whole again.
    else if (problems.delete(file.path) && (file.role === 'shard' || file.role === 'lists')) repaired = true;
  }
  tell();
  if (repaired) watch();
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, EVERY_MS);
    changed = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
