import type { DuckDBValue } from '@duckdb/node-api';
import { RowParts } from '../../ingest/writers/row-parts.ts';
import type { SpoolType } from '../../ingest/writers/spool-table.ts';
import type { Reason } from '../../query/parcel/reason.ts';
import type { StoredType } from '../../query/parcel/record-page.ts';

/** Rows of a row group: the same as in the parcels' file (ingest/writers/geoparquet.ts), so that both skip the same rows. */
const ROW_GROUP_ROWS = 10_240;

/** Types of waiting values. Integers wait as doubles, which hold them exactly and need no BigInt. */
const WAITING: Readonly<Record<ColumnSpec['type'], SpoolType>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  codes: 'uint32',
  area: 'uint32',
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

/**
 * Writes the Parquet file of one overlay: column `ord`, then the given columns, a block of at most 2,048 rows at a time. Rows wait
 * in files, so memory stays bounded. The same rows give the same bytes.
 */
export class ColumnWriter {
  readonly #path: string;
  readonly #columns: readonly ColumnSpec[];
  readonly #waiting: RowParts;
  #rows = 0;

  private constructor(path: string, columns: readonly ColumnSpec[], waiting: RowParts) {
    this.#path = path;
    this.#columns = columns;
    this.#waiting = waiting;
  }

  /** @param path of the Parquet file; rows wait in a folder beside it. */
  static async create(path: string, columns: readonly ColumnSpec[]): Promise<ColumnWriter> {
    const types = columns.map(({ type }) => WAITING[type]);
    return new ColumnWriter(path, columns, await RowParts.create(`${path}.duckdb`, ['uint32', ...types]));
  }

  /** Adds `count` rows. @param columns values of each column, of equal length. */
  async add(columns: readonly (readonly DuckDBValue[])[], count: number): Promise<void> {
    const ord = Array.from({ length: count }, (_, i) => this.#rows + i);
    this.#rows += count;
    await this.#waiting.addColumns([ord, ...columns], count);
  }

  /**
   * Writes the file.
   * @param reasons by field, in the order of the field's codes.
   * @returns number of rows.
   */
  async finish(reasons: ReadonlyMap<string, readonly Reason[]>, computedAt: string): Promise<number> {
    const selected = this.#columns.map(({ name, type }, i) => {
      const stored =
        type === 'codes'
          ? codeType(reasons.get(name.slice(0, -':code'.length))?.length ?? 0)
          : type === 'area'
            ? 'INTEGER'
            : STORED[type];
      return `, c${i + 1}::${stored} AS ${quoted(name)}`;
    });
    const plat = JSON.stringify({ fields: Object.fromEntries(reasons), computedAt });
    const { from, values } = await this.#waiting.settle();
    await this.#waiting.connection.run(
      `COPY (SELECT c0::INTEGER AS ord${selected.join('')} FROM ${from}) TO $path
        (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}, KV_METADATA {plat: $plat})`,
      { ...values, path: this.#path, plat },
    );
    return this.#rows;
  }

  /** Removes the waiting rows. */
  close(): void {
    this.#waiting.discard();
  }
}
