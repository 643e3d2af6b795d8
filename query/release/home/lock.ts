import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { requireWhole } from '../pack/pack.ts';

/** Another process is changing the releases of this home. */
export class LockedError extends Error {
  override readonly name = 'LockedError';
}

/** A lock that is held until release(). If the process dies, the lock is free. */
export interface Lock {
  release(): void;
}

/** How a lock is held: by one alone, or by several side by side. */
type Mode = 'alone' | 'shared';

const BEGIN = { alone: 'BEGIN EXCLUSIVE', shared: 'BEGIN; SELECT count(*) FROM sqlite_master' } as const;
/** How often a lock is asked for that another process holds, milliseconds. */
const ASK_MS = 100;

/**
 * Takes a lock, which is SQLite's lock of a file: the kernel frees it when its holder is killed. A stale lock cannot exist, so nobody has
 * to guess from a process id, which another process may have by then.
 * @returns null while another process holds it otherwise.
 */
function tryLock(path: string, mode: Mode, patienceMs = 0): Lock | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${patienceMs}; PRAGMA journal_mode = MEMORY; ${BEGIN[mode]}`);
  } catch (error) {
    database?.close();
    if (/locked|busy/i.test((error as Error).message)) return null;
    // SQLite does not say why it cannot open a file; ask the file system.
    closeSync(openSync(path, 'a'));
    throw error;
  }
  const held = database;
  return {
    release() {
      held.exec('ROLLBACK');
      held.close();
    },
  };
}

/** A lock with a file beside it that only names its holder. @throws LockedError naming who holds it. */
function named(path: string, holder: string, mode: Mode, what: string, refused: (who: string) => string): Lock {
  const lock = tryLock(path, mode);
  if (!lock) throw new LockedError(refused(whoIn(holder)));
  try {
    writeFileSync(holder, JSON.stringify({ pid: process.pid, what, since: new Date().toISOString() }));
  } catch {
    // The name of the holder is only information: on a full disk, the run that cleans up must still begin.
  }
  return {
    release() {
      try {
        rmSync(holder, { force: true });
      } finally {
        lock.release();
      }
    },
  };
}

function whoIn(holder: string): string {
  try {
    const { pid, what, since } = JSON.parse(readFileSync(holder, 'utf8'));
    return `process ${pid} (${what}, since ${since})`;
  } catch {
    return 'another process';
  }
}

const busy = (releases: string) => (who: string) =>
  `${releases} is being changed by ${who}; try again when it has ended`;

/**
 * Takes a home alone: nobody else ingests, publishes or removes.
 * @throws LockedError naming the holder.
 */
export function takeLock(releases: string, what: string): Lock {
  requireChangeable(releases);
  return named(join(releases, 'lock.sqlite'), join(releases, 'holder.json'), 'alone', what, busy(releases));
}

/** Takes a home beside other ingests, each of other places. @throws LockedError when somebody has it alone. */
export function shareHome(releases: string, what: string): Lock {
  requireChangeable(releases);
  return named(join(releases, 'lock.sqlite'), join(releases, 'holder.json'), 'shared', what, busy(releases));
}

const lockPath = (releases: string, name: string) => {
  const folder = join(releases, 'locks');
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
};

/** Takes a place, which one process at a time ingests. @throws LockedError naming the holder. */
export function takePlace(releases: string, place: string, what: string): Lock {
  const path = lockPath(releases, `place-${encodeURIComponent(place)}`);
  const refused = (who: string) => `${place} is being changed by ${who}; try again when it has ended`;
  return named(`${path}.sqlite`, `${path}.json`, 'alone', what, refused);
}

/**
 * What ingests that share a home do one at a time: `publish` a release, compute an `overlay`, write into the `book` of places. `work` is held side by side by whoever
 * has files that no release names yet, and alone by whoever removes such files.
 */
export type Turn = 'publish' | 'overlay' | 'work' | 'book';

/** Takes a turn if nobody else has it. */
export const tryTurn = (releases: string, turn: Turn, mode: Mode = 'alone'): Lock | null =>
  tryLock(lockPath(releases, `${turn}.sqlite`), mode);

/** Takes a turn that lasts a moment, and blocks this thread until then. */
export function waitForTurn(releases: string, turn: Turn): Lock {
  const lock = tryLock(lockPath(releases, `${turn}.sqlite`), 'alone', 60_000);
  if (!lock) throw new LockedError(`${releases}: another process has held the lock ${turn} for a minute; end it`);
  return lock;
}

/** Waits for a turn. @throws the signal's reason. */
export async function takeTurn(
  releases: string,
  turn: Turn,
  signal?: AbortSignal,
  mode: Mode = 'alone',
): Promise<Lock> {
  for (;;) {
    signal?.throwIfAborted();
    const lock = tryTurn(releases, turn, mode);
    if (lock) return lock;
    await pause(ASK_MS, undefined, signal ? { signal } : {}).catch(() => {});
  }
}

/** Makes the folder if it does not exist. @throws system errors that name the path which cannot be written. */
function requireChangeable(releases: string): void {
  requireWhole(dirname(releases), 'change releases');
  let failure: unknown = null;
  try {
    mkdirSync(releases, { recursive: true });
  } catch (error) {
    failure = error;
  }
  // On a read-only file system mkdir reports ENOENT; the nearest existing folder reports the real cause.
  let nearest = resolve(releases);
  while (!existsSync(nearest)) nearest = dirname(nearest);
  accessSync(nearest, constants.W_OK);
  if (failure) throw failure;
}
