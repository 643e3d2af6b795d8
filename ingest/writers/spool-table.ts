import { rmSync } from 'node:fs';
import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DATE,
  DOUBLE,
  type DuckDBAppender,
  DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  type DuckDBType,
  type DuckDBValue,
  TIMESTAMPTZ,
  UINTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import type { ScalarType, Value } from '../../datasets/dataset.ts';

/** A batch goes to the appender at the size of a DuckDB chunk or at FLUSH_BYTES; the appender itself has no memory limit. */
const CHUNK_ROWS = 2048;
const FLUSH_BYTES = 32 << 20;
/** Bytes of a value in a chunk, without those of long text. */
const SLOT_BYTES = 16;
const FLUSH_ROWS = 122_880;

/**
 * Megabytes that a table may hold in memory. DuckDB fails where they do not hold what it takes in at once: with 128 neither 20,480
 * parcels with all their 177 columns nor a sort of 200,000 rows of 60 went through.
 */
const MEMORY_MB = 256;

const TYPES: Readonly<Record<ScalarType | 'blob' | 'uint32', DuckDBType>> = {
  string: VARCHAR,
  number: DOUBLE,
  integer: BIGINT,
  boolean: BOOLEAN,
  date: DATE,
  timestamp: TIMESTAMPTZ,
  blob: BLOB,
  uint32: UINTEGER,
};

/** Days since 1970-01-01 of a checked YYYY-MM-DD, and microseconds of a checked UTC timestamp. */
const dayOf = (text: string) => new DuckDBDateValue(Date.parse(`${text}T00:00:00Z`) / 86_400_000);
function instantOf(text: string): DuckDBTimestampTZValue {
  const fraction = /\.(\d+)Z$/.exec(text)?.[1] ?? '';
  const seconds = Date.parse(text.replace(/\.\d+Z$/, 'Z')) / 1000;
  return new DuckDBTimestampTZValue(BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, '0')));
}

export type SpoolType = keyof typeof TYPES;

/** Returns DuckDB's name of a column's type. */
export const sqlType = (type: SpoolType): string => String(TYPES[type]);

/** Returns a value in the form that a DuckDB column of that type accepts. */
function stored(type: SpoolType, value: Value | Uint8Array): DuckDBValue {
  if (value === null || value === undefined) return null;
  if (type === 'integer') return BigInt(value as number);
  if (type === 'date') return dayOf(value as string);
  if (type === 'timestamp') return instantOf(value as string);
  return value instanceof Uint8Array ? new DuckDBBlobValue(value) : value;
}

/**
 * Holds rows for a Parquet file: table `rows` with columns c0, c1, … in a DuckDB database in memory. Beyond its limit the
 * database writes to a folder next to the target, so memory stays bounded. No name of a layer becomes SQL text before it must. A
 * database file would need a log and a checkpoint, although the rows are read once and dropped.
 */
export class SpoolTable {
  readonly connection: DuckDBConnection;
  readonly #path: string;
  readonly #instance: DuckDBInstance;
  readonly #types: readonly SpoolType[];
  #appender: DuckDBAppender;
  readonly #chunk: DuckDBDataChunk;
  #batch: DuckDBValue[][];
  #rows = 0;
  #unflushedRows = 0;
  #unflushedBytes = 0;

  private constructor(
    path: string,
    types: readonly SpoolType[],
    duck: { instance: DuckDBInstance; connection: DuckDBConnection; appender: DuckDBAppender },
  ) {
    this.#path = path;
    this.#types = types;
    this.#instance = duck.instance;
    this.connection = duck.connection;
    this.#appender = duck.appender;
    this.#batch = types.map(() => []);
    this.#chunk = DuckDBDataChunk.create(types.map(type => TYPES[type]));
  }

  /**
   * @param path of the folder for rows beyond the limit; files that a killed run left there are removed.
   * @param memoryMb the limit, megabytes.
   */
  static async create(path: string, types: readonly SpoolType[], memoryMb = MEMORY_MB): Promise<SpoolTable> {
    removeOverflow(path);
    // One thread: the order of rows and so the bytes of the file do not depend on the machine.
    const instance = await DuckDBInstance.create(':memory:', {
      temp_directory: path,
      memory_limit: `${memoryMb}MB`,
      threads: '1',
      preserve_insertion_order: 'true',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const connection = await instance.connect();
    return new SpoolTable(path, types, { instance, connection, appender: await emptyTable(connection, types) });
  }

  /** Adds a row. @param values one for each column; bytes only for blobs. */
  add(values: readonly (Value | Uint8Array)[]): void {
    for (let i = 0; i < this.#types.length; i++) {
      const value = values[i]!;
      this.#batch[i]!.push(stored(this.#types[i]!, value));
      this.#unflushedBytes += SLOT_BYTES;
      if (typeof value === 'string' || value instanceof Uint8Array) this.#unflushedBytes += value.length;
    }
    this.#rows++;
    if (this.#rows === CHUNK_ROWS || this.#unflushedBytes > FLUSH_BYTES) this.#append();
  }

  /** Adds at most CHUNK_ROWS rows by columns. @param columns values as DuckDB takes them, `count` in each column. */
  addColumns(columns: readonly (readonly DuckDBValue[])[], count: number): void {
    this.#append();
    this.#batch = [...columns] as DuckDBValue[][];
    this.#rows = count;
    this.#append();
  }

  /** Makes all rows visible to the connection. */
  settle(): void {
    this.#append();
    this.#appender.closeSync();
  }

  /** Drops all rows, which are settled; others may be added then. */
  async clear(): Promise<void> {
    await this.connection.run('DROP TABLE rows');
    this.#appender = await emptyTable(this.connection, this.#types);
  }

  /** Sets another limit, megabytes. What does not fit goes to disk at once, and its memory back to the system. */
  async limit(memoryMb: number): Promise<void> {
    await this.connection.run(`SET memory_limit = '${memoryMb}MB'`);
  }

  /** Closes and removes the database. */
  discard(): void {
    this.connection.closeSync();
    this.#instance.closeSync();
    removeOverflow(this.#path);
  }

  #append(): void {
    if (this.#rows === 0) return;
    // Reuse one chunk: chunks are freed only by JavaScript's garbage collector, which does not see their size.
    this.#chunk.reset();
    this.#chunk.rowCount = this.#rows;
    this.#chunk.setColumns(this.#batch);
    this.#appender.appendDataChunk(this.#chunk);
    this.#unflushedRows += this.#rows;
    this.#batch = this.#types.map(() => []);
    this.#rows = 0;
    if (this.#unflushedRows < FLUSH_ROWS && this.#unflushedBytes < FLUSH_BYTES) return;
    this.#appender.flushSync();
    this.#unflushedRows = this.#unflushedBytes = 0;
  }
}

/** Makes table `rows` and returns what appends to it. */
async function emptyTable(connection: DuckDBConnection, types: readonly SpoolType[]): Promise<DuckDBAppender> {
  await connection.run(`CREATE TABLE rows (${types.map((type, i) => `c${i} ${TYPES[type]}`).join(', ')})`);
  return connection.createAppender('rows');
}

function removeOverflow(path: string): void {
  rmSync(path, { force: true, recursive: true });
}
