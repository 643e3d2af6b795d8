import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { stampOf } from '../format/file-stamp.ts';
import { SoundRecord } from '../release/sound-record.ts';
import { type Judged, sha256Of } from '../release/verified-file.ts';
import type { CheckerSetup, Found, Watched } from './file-checker.ts';

/** How often large files are looked at, and all of them. */
const EVERY_MS = 500;
const ALL_EVERY_MS = 5_000;

const { home } = workerData as CheckerSetup;
const record = new SoundRecord(home);
/** What the record does not hold. */
const judged = new Map<string, Judged>();
/** What is wrong with a file, by hash. */
const problems = new Map<string, string>();
let watched: readonly Watched[] = [];
let changed: () => void = () => {};
let told = '';
let allAt = Number.NEGATIVE_INFINITY;

parentPort!.on('message', (files: readonly Watched[]) => {
  watched = files;
  allAt = Number.NEGATIVE_INFINITY;
  changed();
});

function tell(): void {
  const hashes = new Set(watched.map(({ sha256 }) => sha256));
  const found: Found = {
    judged: [...judged.values()].filter(({ sha256 }) => hashes.has(sha256)),
    problems: [...problems].filter(([sha256]) => hashes.has(sha256)),
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
async function check({ path, sha256, bytes, isLarge }: Watched): Promise<string | null> {
  const before = stampAt(path);
  // Whoever asks for such a file sees that without hashing.
  if (!before) return 'it is missing';
  if (before.bytes !== bytes) return `it holds ${before.bytes} bytes, expected ${bytes}`;
  const { stamp } = before;
  if (record.get(sha256) === stamp) return null;
  const cached = judged.get(sha256);
  if (cached?.stamp !== stamp) {
    const sound = (await sha256Of(path)) === sha256;
    if (stampAt(path)?.stamp !== stamp) return problems.get(sha256) ?? null;
    if (sound && record.add(sha256, stamp)) judged.delete(sha256);
    else judged.set(sha256, { sha256, stamp, sound });
    if (isLarge) tell();
    if (sound) return null;
  } else if (cached.sound) return null;
  return 'its bytes do not have the checksum of the release';
}

for (;;) {
  const all = performance.now() - allAt >= ALL_EVERY_MS;
  if (all) allAt = performance.now();
  for (const file of watched) {
    if (!all && !file.isLarge) continue;
    let problem: string | null;
    try {
      problem = await check(file);
    } catch (error) {
      problem = `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`;
    }
    if (problem === null) problems.delete(file.sha256);
    else problems.set(file.sha256, problem);
  }
  tell();
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, EVERY_MS);
    changed = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
