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

/** Another process is changing the releases of this home. */
export class LockedError extends Error {
  override readonly name = 'LockedError';
}

/** A lock that is held until release(). If the process dies, the lock is free. */
export interface Lock {
  release(): void;
}

/**
 * Takes the one lock under which releases change. It is SQLite's exclusive file lock, so the kernel frees it when its holder is
 * killed. A stale lock cannot exist, so nobody has to guess from a process id, which another process may have by then.
 * `holder.json` beside it only names the holder.
 * @throws LockedError naming the holder.
 */
export function takeLock(releases: string, what: string): Lock {
  requireWritable(releases);
  const holder = join(releases, 'holder.json');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(releases, 'lock.sqlite'));
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (!/locked|busy/i.test((error as Error).message)) {
      // SQLite does not say why it cannot open a file; ask the file system.
      closeSync(openSync(join(releases, 'lock.sqlite'), 'a'));
      throw error;
    }
    let who = 'another process';
    try {
      const { pid, what, since } = JSON.parse(readFileSync(holder, 'utf8'));
      who = `process ${pid} (${what}, since ${since})`;
    } catch {}
    throw new LockedError(`${releases} is being changed by ${who}; try again when it has ended`);
  }
  const held = database;
  try {
    writeHolder(holder, what);
  } catch {
    // The name of the holder is only information: on a full disk, the run that cleans up must still begin.
  }
  return {
    release() {
      try {
        rmSync(holder, { force: true });
      } finally {
        held.exec('ROLLBACK');
        held.close();
      }
    },
  };
}

/** Makes the folder if it does not exist. @throws system errors that name the path which cannot be written. */
function requireWritable(releases: string): void {
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

function writeHolder(path: string, what: string): void {
  writeFileSync(path, JSON.stringify({ pid: process.pid, what, since: new Date().toISOString() }));
}
