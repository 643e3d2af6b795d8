import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process is changing the releases of this home. */
export class LockedError extends Error {
  override readonly name = 'LockedError';
}

/** Held until release(); a process that dies lets go of it, however it dies. */
export interface Lock {
  release(): void;
}

/**
 * Takes the one lock under which releases change. It is SQLite's exclusive file lock, so the kernel frees it when its
 * holder is killed: there is no stale lock to judge by a process number that may have been given to another process.
 * `holder.json` beside it only says who holds it.
 * @throws LockedError naming the holder.
 */
export function takeLock(releases: string, what: string): Lock {
  mkdirSync(releases, { recursive: true });
  const holder = join(releases, 'holder.json');
  const database = new DatabaseSync(join(releases, 'lock.sqlite'));
  try {
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!/locked|busy/i.test((error as Error).message)) throw error;
    let who = 'another process';
    try {
      const { pid, what, since } = JSON.parse(readFileSync(holder, 'utf8'));
      who = `process ${pid} (${what}, since ${since})`;
    } catch {}
    throw new LockedError(`${releases} is being changed by ${who}; try again when it has ended`);
  }
  writeFileSync(holder, JSON.stringify({ pid: process.pid, what, since: new Date().toISOString() }));
  return {
    release() {
      rmSync(holder, { force: true });
      database.exec('ROLLBACK');
      database.close();
    },
  };
}
