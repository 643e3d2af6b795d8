import { rmSync } from 'node:fs';
import {
  BOOLEAN,
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  UINTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import type { Reason } from '../../query/parcel/reason.ts';
import type { StoredType } from '../../query/parcel/record-page.ts';

/** Rows of a row group: the same as in the parcels' file (ingest/writers/geoparquet.ts), so that both skip the same rows. */
const ROW_GROUP_ROWS = 10_240;
/** Megabytes that a table may hold in memory before it goes to disk. */
const MEMORY_MB = 96;
/** Rows that the appender may hold; it has no memory limit of its own. */
const FLUSH_ROWS = 40_960;

/** Types of waiting values. Integers wait as doubles, which hold them exactly and need no BigInt. */
const WAITING: Readonly<Record<StoredType, DuckDBType>> = {
  string: VARCHAR,
  number: DOUBLE,
  integer: DOUBLE,
  boolean: BOOLEAN,
};
const STORED: Readonly<Record<StoredType, string>> = {
  string: 'VARCHAR',
  number: 'DOUBLE',
  integer: 'BIGINT',
  boolean: 'BOOLEAN',
};

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** A column of the file. `codes` come with the values of a field. */
export interface ColumnSpec {
  readonly name: string;
  readonly type: StoredType | 'codes' | 'area';
}

/** Returns the smallest unsigned type that holds `count` codes. */
const codeType = (count: number): string => (count <= 0x100 ? 'UTINYINT' : count <= 0x10000 ? 'USMALLINT' : 'UINTEGER');

const waitingType = (type: ColumnSpec['type']): DuckDBType =>
  type === 'codes' ? UINTEGER : type === 'area' ? INTEGER : WAITING[type];

/**
 * Writes the Parquet file of one overlay: column `ord`, then the given columns, a block of at most 2,048 rows at a time. Rows
 * beyond a limit wait on disk, so that memory stays bounded. The same rows give the same bytes.
 */
export class ColumnWriter {
  readonly #path: string;
  readonly #columns: readonly ColumnSpec[];
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #appender: DuckDBAppender;
  readonly #chunk: DuckDBDataChunk;
  #rows = 0;
  #unflushed = 0;

  private constructor(
    path: string,
    columns: readonly ColumnSpec[],
    duck: { instance: DuckDBInstance; connection: DuckDBConnection; appender: DuckDBAppender },
  ) {
    this.#path = path;
    this.#columns = columns;
    this.#instance = duck.instance;
    this.#connection = duck.connection;
    this.#appender = duck.appender;
    this.#chunk = DuckDBDataChunk.create([INTEGER, ...columns.map(column => waitingType(column.type))]);
  }

  /** @param path of the Parquet file; rows beyond the memory limit go to a folder beside it. */
  static async create(path: string, columns: readonly ColumnSpec[]): Promise<ColumnWriter> {
    rmSync(`${path}.duckdb`, { force: true, recursive: true });
    const instance = await DuckDBInstance.create(':memory:', {
      temp_directory: `${path}.duckdb`,
      memory_limit: `${MEMORY_MB}MB`,
      threads: '1',
      preserve_insertion_order: 'true',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const connection = await instance.connect();
    const types = columns.map((column, i) => `c${i} ${waitingType(column.type)}`);
    await connection.run(`CREATE TABLE rows (ord INTEGER${types.map(type => `, ${type}`).join('')})`);
    const appender = await connection.createAppender('rows');
    return new ColumnWriter(path, columns, { instance, connection, appender });
  }

  /** Adds `count` rows. @param columns values of each column, of equal length. */
  add(columns: readonly (readonly DuckDBValue[])[], count: number): void {
    this.#chunk.reset();
    this.#chunk.rowCount = count;
    this.#chunk.setColumns([Array.from({ length: count }, (_, i) => this.#rows + i), ...columns]);
    this.#appender.appendDataChunk(this.#chunk);
    this.#rows += count;
    this.#unflushed += count;
    if (this.#unflushed < FLUSH_ROWS) return;
    this.#appender.flushSync();
    this.#unflushed = 0;
  }

  /**
   * Writes the file.
   * @param reasons by field, in the order of the field's codes.
   * @returns number of rows.
   */
  async finish(reasons: ReadonlyMap<string, readonly Reason[]>, computedAt: string): Promise<number> {
    this.#appender.closeSync();
    const selected = this.#columns.map(({ name, type }, i) => {
      const stored =
        type === 'codes'
          ? codeType(reasons.get(name.slice(0, -':code'.length))?.length ?? 0)
          : type === 'area'
            ? 'INTEGER'
            : STORED[type];
      return `, c${i}::${stored} AS ${quoted(name)}`;
    });
    const plat = JSON.stringify({ fields: Object.fromEntries(reasons), computedAt });
    await this.#connection.run(
      `COPY (SELECT ord${selected.join('')} FROM rows) TO $path
        (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}, KV_METADATA {plat: $plat})`,
      { path: this.#path, plat },
    );
    return this.#rows;
  }

  /** Closes the database and removes the waiting rows. */
  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
    rmSync(`${this.#path}.duckdb`, { force: true, recursive: true });
  }
}
