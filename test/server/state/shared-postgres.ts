import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { openState } from '../../../server/state/open.ts';
import { BIN, makeData, owned, POSTGRES_VERSION } from './postgres.ts';

/** Databases of one test file in the cluster that all files of a run share. */
export interface SharedPostgres {
  /** A new empty database. @returns its URL. */
  database(): Promise<string>;
  /** A new database with the tables of the state store and of its jobs: making them takes longer than copying them. */
  migrated(): Promise<string>;
  /** Drops the databases made through this object, whoever still uses them. */
  drop(): Promise<void>;
}

/** Of this process. */
let databases = 0;

const TEMPLATE = 'plat_migrated';
/** Half as long as through the log, which nobody needs here. The option came with PostgreSQL 15. */
const FILE_COPY = POSTGRES_VERSION >= 15 ? 'strategy file_copy' : '';

/** Makes the database that others are copies of. */
async function makeTemplate(url: string): Promise<void> {
  const state = await openState('', url);
  await state.jobs.maintain();
  await state.close();
}

/**
 * The cluster that test files share, started by whichever asks first: a cluster a file takes two seconds of each. It is
 * stopped after the last file (shared-folder.ts).
 * @throws Error when another file could not start it.
 */
export async function sharedPostgres(): Promise<SharedPostgres> {
  const shared = inject('sharedFolder');
  const folder = join(shared, 'postgres');
  const done = join(shared, 'postgres-done');
  const failed = join(shared, 'postgres-failed');
  const url = (name: string) => `postgresql://plat@localhost/${name}?host=${encodeURIComponent(folder)}`;
  const run = async (...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: url('postgres') });
    await client.connect();
    try {
      for (const sql of statements) await client.query(sql);
    } finally {
      await client.end();
    }
  };
  let mine = true;
  try {
    mkdirSync(folder);
  } catch {
    mine = false;
  }
  if (mine)
    try {
      // The server runs as another user, who must get through to its own folder.
      chmodSync(shared, 0o711);
      const data = makeData(folder);
      const options = `-c unix_socket_directories=${folder} -c listen_addresses= -c fsync=off -c max_connections=200`;
      execFileSync(join(BIN!, 'pg_ctl'), ['-D', data, '-l', join(folder, 'log'), '-o', options, '-w', 'start'], {
        ...owned(folder),
        stdio: 'ignore',
      });
      await run(`create database ${TEMPLATE}`);
      await makeTemplate(url(TEMPLATE));
      writeFileSync(done, '');
    } catch (error) {
      writeFileSync(failed, '');
      throw error;
    }
  while (!existsSync(done)) {
    if (existsSync(failed)) throw new Error('PostgreSQL could not be started; the test file that tried says why');
    await sleep(50);
  }
  const made: string[] = [];
  const create = async (template: string) => {
    const name = `plat_${process.pid}_${databases++}`;
    await run(`create database ${name} template ${template} ${FILE_COPY}`);
    made.push(name);
    return url(name);
  };
  return {
    database: () => create('template1'),
    migrated: () => create(TEMPLATE),
    drop: () => run(...made.splice(0).map(name => `drop database if exists ${name} with (force)`)),
  };
}
