import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { SoundRecord, stampOf } from '../release/sound-record.ts';
import { type Judged, sha256Of } from '../release/verified-file.ts';
import type { CheckerSetup, Watched } from './file-checker.ts';

/** How often files are looked at. */
const EVERY_MS = 500;

const { home } = workerData as CheckerSetup;
const record = new SoundRecord(home);
/** What the record does not hold. */
const judged = new Map<string, Judged>();
let watched: readonly Watched[] = [];
let changed: () => void = () => {};

parentPort!.on('message', (files: readonly Watched[]) => {
  watched = files;
  changed();
});

const stampAt = (path: string) => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? { stamp: stampOf(stat), bytes: stat.size } : null;
};

/** Hashes one file when its stamp is new. A file that changed meanwhile is left to the next look. */
async function check({ path, sha256, bytes }: Watched): Promise<void> {
  const before = stampAt(path);
  // Missing, or of another size: whoever asks for it sees that without hashing.
  if (!before || before.bytes !== bytes) return;
  const { stamp } = before;
  if (record.get(sha256) === stamp || judged.get(sha256)?.stamp === stamp) return;
  const sound = (await sha256Of(path)) === sha256;
  if (stampAt(path)?.stamp !== stamp) return;
  if (sound && record.add(sha256, stamp)) judged.delete(sha256);
  else judged.set(sha256, { sha256, stamp, sound });
  parentPort!.postMessage([...judged.values()]);
}

for (;;) {
  for (const file of watched)
    try {
      await check(file);
    } catch {
      // Unreadable: whoever asks for it is told so by the system.
    }
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, EVERY_MS);
    changed = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
