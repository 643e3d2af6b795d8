import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type pg from 'pg';
import { jobsToSave } from '../state/jobs/saved-jobs.ts';

/** Rows that are read or written at once. */
const PORTION = 500;
const BOOKKEEPING = /^(?:kysely_|sqlite_)/;

/** Table of the embedded queue. In PostgreSQL pg-boss holds the jobs and gives them its own ids. */
const JOBS = 'jobs';

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Tables of a state file; referenced tables come before those that refer to them. */
function tablesOf(file: DatabaseSync): string[] {
  const rows = file.prepare("select name from sqlite_master where type = 'table' order by name").all();
  const names = rows.map(row => String(row.name)).filter(name => !BOOKKEEPING.test(name));
  const ordered: string[] = [];
  const visit = (name: string) => {
    if (ordered.includes(name) || !names.includes(name)) return;
    for (const { table } of file.prepare(`pragma foreign_key_list(${quoted(name)})`).all())
      if (table !== name) visit(String(table));
    ordered.push(name);
  };
  for (const name of names) visit(name);
  return ordered;
}

/** The number of rows of each table. */
export const countsOf = (file: DatabaseSync): Record<string, number> =>
  Object.fromEntries(
    tablesOf(file).map(table => [table, Number(file.prepare(`select count(*) n from ${quoted(table)}`).get()!.n)]),
  );

/** Converts a PostgreSQL value to the form that SQLite stores. */
function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  if (value !== null && typeof value === 'object' && !(value instanceof Uint8Array)) return JSON.stringify(value);
  return value as SQLInputValue;
}

/**
 * Copies all rows of a PostgreSQL state store, as of one moment, into a state file that has the same tables and no
 * rows. Other connections may write meanwhile.
 */
export async function readPostgres(client: pg.Client, file: DatabaseSync): Promise<void> {
  await client.query('begin isolation level repeatable read read only');
  file.exec('begin');
  for (const table of tablesOf(file)) {
    file.exec(`delete from ${quoted(table)}`);
    await client.query(`declare rows cursor for select * from ${quoted(table)}`);
    for (;;) {
      const { rows, fields } = await client.query(`fetch ${PORTION} from rows`);
      if (rows.length === 0) break;
      const names = fields.map(field => field.name);
      const insert = file.prepare(
        `insert into ${quoted(table)} (${names.map(quoted).join(', ')}) values (${names.map(() => '?').join(', ')})`,
      );
      for (const row of rows) insert.run(...names.map(name => toSqlite(row[name])));
    }
    await client.query('close rows');
  }
  for (const job of await jobsToSave(client)) {
    const names = Object.keys(job);
    file
      .prepare(`insert into ${JOBS} (${names.map(quoted).join(', ')}) values (${names.map(() => '?').join(', ')})`)
      .run(...Object.values(job));
  }
  file.exec('commit');
  await client.query('commit');
}

/**
 * Copies all rows of a state file except jobs into an empty PostgreSQL store with the same tables, in one transaction.
 */
export async function writePostgres(file: DatabaseSync, client: pg.Client): Promise<void> {
  await client.query('begin');
  for (const table of tablesOf(file)) {
    if (table === JOBS) continue;
    const { rows: columns } = await client.query<{ name: string; type: string; counted: boolean }>(
      `select column_name as name, data_type as type, coalesce(column_default like 'nextval%', false) as counted
       from information_schema.columns where table_schema = current_schema() and table_name = $1`,
      [table],
    );
    const types = new Map(columns.map(({ name, type }) => [name, type]));
    const ofPostgres = (name: string, value: unknown) =>
      types.get(name) === 'boolean' && typeof value === 'number' ? value === 1 : value;
    await client.query(`delete from ${quoted(table)}`);
    for (const row of file.prepare(`select * from ${quoted(table)}`).iterate()) {
      const names = Object.keys(row);
      await client.query(
        `insert into ${quoted(table)} (${names.map(quoted).join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
        names.map(name => ofPostgres(name, row[name])),
      );
    }
    for (const { name } of columns.filter(column => column.counted))
      await client.query(
        `select setval(pg_get_serial_sequence($1, $2), coalesce((select max(${quoted(name)}) from ${quoted(table)}), 0) + 1, false)`,
        [table, name],
      );
  }
  await client.query('commit');
}
