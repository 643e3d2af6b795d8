import type { DuckDBConnection } from '@duckdb/node-api';
import type { Value } from '../../datasets/dataset.ts';
import type { ReleaseFile } from '../../datasets/release.ts';
import type { Cache } from './cache.ts';
import { connectDuckdb } from './duckdb.ts';
import { registerPredicates } from './duckdb-functions.ts';
import { Fault } from './fault.ts';
import type { Release } from './open-release.ts';
import { requireUnchanged, type Verified, verify } from './verified-file.ts';

/** A row of a table, by the publisher's column names. */
export type TableRow = Readonly<Record<string, Value>>;

/** Rows of one area key, with the columns that the file has (told even when there is no row). */
export interface KeyedRows {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

let connection: Promise<DuckDBConnection> | null = null;

/** This thread's connection for questions about tables, made on first use; it knows the predicates of the parcel search. */
export function duckdb(): Promise<DuckDBConnection> {
  connection ??= connectDuckdb().then(async connection => {
    await registerPredicates(connection);
    return connection;
  });
  // The next one tries again.
  connection.catch(() => {
    connection = null;
  });
  return connection;
}

/** Stops what this thread's DuckDB is doing; a thread must not end in the middle of a query. */
export async function interruptDuckdb(): Promise<void> {
  if (connection) (await connection).interrupt();
}

/** DuckDB's JavaScript values as catalog values: dates and timestamps become their ISO text, integers numbers. */
function plain(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value;
  if (value instanceof Date) return value.toISOString();
  return String(value);
}

/** Column names come from the catalog, never from a user; quoting is for names with spaces. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The rows of each key, in file order; a key without rows has an empty list. */
async function read(path: string, keyColumn: string, keys: readonly string[]): Promise<ReadonlyMap<string, KeyedRows>> {
  const db = await duckdb();
  const described = await db.runAndReadAll('SELECT * FROM read_parquet(?) LIMIT 0', [path]);
  const columns = described.columnNames();
  const rows = new Map<string, TableRow[]>(keys.map(key => [key, []]));
  if (columns.includes(keyColumn)) {
    const bound = keys.map(() => '?').join(', ');
    const reader = await db.runAndReadAll(
      `SELECT * FROM read_parquet(?) WHERE CAST(${quoted(keyColumn)} AS VARCHAR) IN (${bound})`,
      [path, ...keys],
    );
    for (const row of reader.getRowObjects()) {
      const out: Record<string, Value> = {};
      for (const [name, value] of Object.entries(row)) out[name] = plain(value);
      rows.get(String(out[keyColumn]))?.push(out);
    }
  }
  return new Map([...rows].map(([key, ofKey]) => [key, { columns, rows: ofKey }]));
}

/** Tables of at most so many rows and bytes are read whole, once: a query for each new key would take a millisecond. */
const WHOLE = { rows: 20_000, bytes: 1 << 20 } as const;

const isSmall = (file: ReleaseFile) => file.rows <= WHOLE.rows && file.bytes <= WHOLE.bytes;

/** The rows of every key of a small table. */
class WholeTable {
  readonly #columns: readonly string[];
  readonly #rows: ReadonlyMap<string, readonly TableRow[]>;
  readonly #none: KeyedRows;
  readonly count: number;

  constructor(columns: readonly string[], rows: readonly TableRow[], keyColumn: string) {
    this.#columns = columns;
    this.#rows = Map.groupBy(columns.includes(keyColumn) ? rows : [], row => String(row[keyColumn]));
    this.#none = { columns, rows: [] };
    this.count = rows.length;
  }

  of(key: string): KeyedRows {
    const rows = this.#rows.get(key);
    return rows ? { columns: this.#columns, rows } : this.#none;
  }

  /** An estimate, as for single keys. */
  get bytes(): number {
    return 400 + this.#rows.size * 100 + this.count * this.#columns.length * 40;
  }
}

async function readWhole(path: string, keyColumn: string): Promise<WholeTable> {
  const db = await duckdb();
  const reader = await db.runAndReadAll('SELECT * FROM read_parquet(?)', [path]);
  const rows = reader.getRowObjects().map(row => {
    const out: Record<string, Value> = {};
    for (const [name, value] of Object.entries(row)) out[name] = plain(value);
    return out;
  });
  return new WholeTable(reader.columnNames(), rows, keyColumn);
}

/** After such an error DuckDB answers nothing any more: the next read gets a new one. */
const FATAL = /\b(?:FATAL|INTERNAL) Error|database has been invalidated/i;

const idOf = (at: Verified, keyColumn: string, key: string) => `rows:${at.id}:${keyColumn}:${key}`;

const wholeId = (at: Verified, keyColumn: string) => `rows:${at.id}:${keyColumn}`;

/** What the cache has of a key. */
function heldIn(cache: Cache, at: Verified, keyColumn: string, key: string): KeyedRows | undefined {
  const whole = cache.get(wholeId(at, keyColumn)) as WholeTable | undefined;
  return whole ? whole.of(key) : (cache.get(idOf(at, keyColumn, key)) as KeyedRows | undefined);
}

const keepWhole = (cache: Cache, at: Verified, keyColumn: string, whole: WholeTable) =>
  cache.set(wholeId(at, keyColumn), whole, whole.bytes);

const keep = (cache: Cache, id: string, found: KeyedRows) =>
  cache.set(id, found, 400 + found.rows.length * found.columns.length * 40);

/**
 * Every row of a Parquet table whose key column equals the key, kept in the cache by file and key; a small table is read
 * whole and kept by file.
 * @param verified what the file was verified as; a caller that gives it looks again when all is answered.
 * @throws Fault when the file is missing, damaged or no Parquet.
 */
export function rowsOf(
  cache: Cache,
  release: Release,
  file: ReleaseFile,
  keyColumn: string,
  key: string,
  verified: Verified | Promise<Verified> = verify(release, file),
): KeyedRows | Promise<KeyedRows> {
  if (!('then' in verified)) {
    const held = heldIn(cache, verified, keyColumn, key);
    if (held) return held;
  }
  return (async () => {
    const at = await verified;
    const { path } = at;
    try {
      if (isSmall(file)) {
        const whole = await readWhole(path, keyColumn);
        requireUnchanged(file, at);
        keepWhole(cache, at, keyColumn, whole);
        return whole.of(key);
      }
      const found = (await read(path, keyColumn, [key])).get(key)!;
      requireUnchanged(file, at);
      keep(cache, idOf(at, keyColumn, key), found);
      return found;
    } catch (error) {
      if (error instanceof Fault) throw error;
      const text = error instanceof Error ? error.message.split('\n')[0]! : String(error);
      if (FATAL.test(text)) connection = null;
      if (/interrupt/i.test(text)) throw new Fault('the table read was interrupted', true);
      throw new Fault(
        `rows file ${file.sha256.slice(0, 12)} cannot be read as Parquet: ${text.replaceAll(path, '…')}`,
        true,
      );
    }
  })();
}

/** Keys bound into one query. */
const KEYS = 1000;

/**
 * Reads the rows of many keys with one query a thousand keys and keeps them where rowsOf looks first. What cannot be
 * read is left to rowsOf, which says why.
 */
export async function readAhead(
  cache: Cache,
  release: Release,
  file: ReleaseFile,
  keyColumn: string,
  keys: readonly string[],
): Promise<void> {
  try {
    const at = await verify(release, file);
    const missing = [...new Set(keys)].filter(key => !heldIn(cache, at, keyColumn, key));
    if (missing.length && isSmall(file)) {
      const whole = await readWhole(at.path, keyColumn);
      requireUnchanged(file, at);
      keepWhole(cache, at, keyColumn, whole);
      return;
    }
    const held: [id: string, found: KeyedRows][] = [];
    for (let i = 0; i < missing.length; i += KEYS)
      for (const [key, found] of await read(at.path, keyColumn, missing.slice(i, i + KEYS)))
        held.push([idOf(at, keyColumn, key), found]);
    requireUnchanged(file, at);
    for (const [id, found] of held) keep(cache, id, found);
  } catch {
    // A table that is damaged or missing fails each key on its own.
  }
}
