import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import type { ReleaseFile } from '../datasets/release.ts';
import { Fault } from './fault.ts';
import type { Release } from './release.ts';

/** How long a file's stat is believed. */
const STAT_TTL_MS = 1000;

interface Verdict {
  /** Inode, size and times of the bytes that were hashed. */
  readonly stamp: string;
  /** Resolves to null when the bytes are those of the manifest, otherwise to what is wrong. */
  readonly problem: Promise<Fault | null>;
  settled: Fault | null | undefined;
  checkedAt: number;
}

const verdicts = new Map<string, Verdict>();

/** The file's short name in messages: paths of the server stay inside. */
const nameOf = (file: ReleaseFile) => `${file.role} file ${file.sha256.slice(0, 12)}`;

/** An unreadable file is retryable (operators.md): it answers again as soon as it is restored. */
const unreadable = (file: ReleaseFile, why: string) => new Fault(`${nameOf(file)} ${why}`, true);

async function hash(path: string, file: ReleaseFile): Promise<Fault | null> {
  const sum = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) sum.update(chunk as Buffer);
  } catch (error) {
    return unreadable(file, `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
  }
  return sum.digest('hex') === file.sha256
    ? null
    : unreadable(file, 'is damaged: its bytes do not have the checksum of the release');
}

/**
 * Makes sure a file still holds the bytes that the manifest promises. It is hashed on first use and again only
 * when its size, inode or times change, which one stat a second notices: an answer never comes from damaged bytes.
 * @returns path and stamp; an object opened on another stamp must be opened again.
 * @throws Fault when the file is missing, of another size, or damaged.
 */
export function verify(
  release: Release,
  file: ReleaseFile,
): { path: string; stamp: string } | Promise<{ path: string; stamp: string }> {
  const path = release.pathOf(file);
  const now = performance.now();
  let verdict = verdicts.get(path);
  if (!verdict || now - verdict.checkedAt > STAT_TTL_MS) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) {
      verdicts.delete(path);
      throw unreadable(file, 'is missing');
    }
    const stamp = `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
    if (!verdict || verdict.stamp !== stamp) {
      const problem =
        stat.size === file.bytes
          ? hash(path, file)
          : Promise.resolve(
              unreadable(file, `is damaged: it holds ${stat.size} bytes, the release says ${file.bytes}`),
            );
      const fresh: Verdict = { stamp, problem, settled: undefined, checkedAt: now };
      void problem.then(fault => {
        fresh.settled = fault;
      });
      verdicts.set(path, fresh);
      verdict = fresh;
    }
    verdict.checkedAt = now;
  }
  const { stamp, settled, problem } = verdict;
  if (settled) throw settled;
  if (settled === null) return { path, stamp };
  return problem.then(fault => {
    if (fault) throw fault;
    return { path, stamp };
  });
}
