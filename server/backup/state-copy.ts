import { chmodSync, copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { jobsToRestore } from '../state/jobs/saved-jobs.ts';
import { openPostgres } from '../state/postgres.ts';
import { privateFile, privateHome } from '../state/private-files.ts';
import { openSqlite } from '../state/sqlite.ts';
import type { Tables } from '../state/tables.ts';
import { countsOf, readPostgres, writePostgres } from './tables.ts';

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'plat backup' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function withFile<T>(path: string, work: (file: DatabaseSync) => T): T {
  const file = new DatabaseSync(path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

/**
 * Writes the state store, as of one moment, to a SQLite file, from either database. Servers keep running.
 * @param url as PLAT_STATE_URL. @param to must not exist.
 * @returns the number of rows of each table.
 */
export async function saveState(home: string, url: string, to: string): Promise<Record<string, number>> {
  if (url === '') {
    const from = new DatabaseSync(join(home, 'state.sqlite'), { timeout: 10_000 });
    try {
      from.prepare('vacuum into ?').run(to);
    } finally {
      from.close();
    }
    chmodSync(to, 0o600);
  } else {
    // The migrations make the tables, so that both databases have the same ones.
    await (await openPostgres(url)).close();
    await (await openSqlite(privateFile(to))).close();
    const file = new DatabaseSync(to);
    try {
      await withClient(url, client => readPostgres(client, file));
    } finally {
      file.close();
    }
  }
  return withFile(to, countsOf);
}

/** Whether the target of a restore already holds a state. */
export async function hasState(home: string, url: string): Promise<boolean> {
  if (url === '') return existsSync(join(home, 'state.sqlite'));
  return withClient(url, async client => {
    const { rows } = await client.query<{ there: boolean }>(`select to_regclass('accounts') is not null as there`);
    return rows[0]!.there && (await client.query('select 1 from accounts limit 1')).rows.length > 0;
  });
}

/**
 * Restores a saved state to the store that the settings name, and migrates it if an earlier build saved it.
 * @returns the number of rows of each table afterwards.
 */
export async function restoreState(from: string, home: string, url: string): Promise<Record<string, number>> {
  privateHome(home);
  const path = url === '' ? join(home, 'state.sqlite') : join(home, `restore-${process.pid}.sqlite`);
  const partial = `${path}.partial`;
  try {
    copyFileSync(from, partial);
    chmodSync(partial, 0o600);
    await (await openSqlite(partial)).close();
    if (url === '') {
      copyFileSync(partial, path);
      chmodSync(path, 0o600);
      return withFile(path, countsOf);
    }
    const store = await openPostgres(url);
    const file = new DatabaseSync(partial);
    try {
      await withClient(url, client => writePostgres(file, client));
      const saved = file.prepare('select * from jobs').all() as unknown as Tables['jobs'][];
      for (const job of jobsToRestore(saved, Date.now())) await store.jobs.enqueue(job);
      return countsOf(file);
    } finally {
      file.close();
      await store.close();
    }
  } finally {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${partial}${ending}`, { force: true });
  }
}
