import { join } from 'node:path';
import {
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  type DuckDBGeometryValue,
  DuckDBInstance,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  type DuckDBValueConverter,
  type Json,
  JsonDuckDBValueConverter,
  LIST,
  listValue,
  StatementType,
  VARCHAR,
} from '@duckdb/node-api';
import type { Manifest, Partition } from '../../datasets/release.ts';
import { UsageError } from '../../query/engine/command.ts';
import { namesText, nearestNames } from '../../query/format/name/nearest-names.ts';
import { decodeWkb } from '../../query/geometry/wkb.ts';
import { toWkt } from '../../query/geometry/wkt.ts';
import { areaKeyOf, calculationTable } from '../../query/parcel/built-columns.ts';
import { registerPredicates } from '../../query/release/duckdb-functions.ts';
import type { PackDocument } from '../../query/release/pack/pack.ts';
import { PART } from '../../query/release/part.ts';
import type { SqlValue } from '../../query/sets/sql/set-query.ts';

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
/** Returns a path as an SQL literal, because a view cannot hold a bound value. Paths come only from the manifest. */
const literal = (path: string) => `'${path.replaceAll("'", "''")}'`;

/** Returns SQL for the place of a row: that of its part if several files fill the partition. */
const placeOf = (place: string, parts: Partition['parts']): string =>
  parts
    ? `CASE ${PART} ${parts.map((part, i) => `WHEN ${i} THEN ${literal(part.place)}`).join(' ')} END`
    : literal(place);

/** The schema of the calculations of parcels. */
const CALCULATIONS = 'calculations';

/** A file of a table. */
interface TablePart {
  readonly key: string;
  readonly path: string;
  readonly rows: number;
  /** SQL for columns beside those of the file. */
  readonly more: string;
}

/** The files of each layer with rows in Parquet. */
const layerParts = (
  manifest: Manifest,
  releases: string,
): readonly (readonly [string, string, readonly TablePart[]])[] =>
  Object.entries(manifest.datasets).flatMap(([dataset, layers]) =>
    Object.entries(layers).map(([layer, { partitions }]) => {
      const parts = partitions.flatMap(({ key, place, files, parts }) =>
        files
          .filter(({ role, rows }) => role === 'rows' && rows > 0)
          .map(({ path, rows }) => {
            const more = `, ${placeOf(place, parts)} AS partition_place`;
            return { key, path: join(releases, path), rows, more };
          }),
      );
      return [dataset, layer, parts] as const;
    }),
  );

/** The files of the calculations of parcels, by what feeds them; those of area keys are numbers that only the row stores explain. */
function calculationParts(manifest: Manifest, releases: string): ReadonlyMap<string, readonly TablePart[]> {
  const tables = new Map<string, TablePart[]>();
  for (const { key, files } of manifest.datasets.parcel_store?.main?.partitions ?? []) {
    const parcels = files.find(({ role }) => role === 'features');
    const overlays = parcels ? manifest.overlays?.[parcels.sha256] : undefined;
    for (const [overlay, { files: stored }] of Object.entries(overlays ?? {})) {
      const file = stored.find(({ role }) => role === 'columns');
      if (!file || file.rows === 0 || areaKeyOf(overlay) !== null) continue;
      const parts = tables.get(calculationTable(overlay)) ?? [];
      parts.push({ key, path: join(releases, file.path), rows: file.rows, more: '' });
      tables.set(calculationTable(overlay), parts);
    }
  }
  return tables;
}

/** Types whose values become text in JSON, because a number may not hold them. */
const LONG_NUMBERS: readonly DuckDBTypeId[] = [
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.DECIMAL,
];

/** Returns a text as a number if the number is exact; otherwise the text. */
const numeric = (value: Json): Json =>
  typeof value === 'string' && String(Number(value)) === value ? Number(value) : value;

/** JSON values, geometries as WKT. */
const printable: DuckDBValueConverter<Json> = (value, type, converter) =>
  type.typeId === DuckDBTypeId.GEOMETRY && value !== null
    ? toWkt(decodeWkb((value as DuckDBGeometryValue).bytes))
    : JsonDuckDBValueConverter(value, type, converter);

/** A value as DuckDB binds it, and its type. */
const bound = (value: SqlValue): DuckDBValue => (Array.isArray(value) ? listValue([...value]) : (value as DuckDBValue));
function typeOf(value: SqlValue): DuckDBType {
  if (Array.isArray(value)) return LIST(typeOf((value as readonly SqlValue[])[0] ?? ''));
  return typeof value === 'number' ? DOUBLE : typeof value === 'boolean' ? BOOLEAN : VARCHAR;
}

/** DuckDB's words for a table that is not there, with its name. Its own advice looks at its system tables too. */
const NO_TABLE = /Table with name "?([^\s"!]+)"? does not exist/;

/** A table of a release: a view that SQL reads. */
interface ReleaseTable {
  /** `dataset.layer`. */
  readonly name: string;
  readonly rows: number;
  readonly partitions: number;
}

/**
 * The Parquet files of a release as views of an in-memory DuckDB. Each dataset is a schema and each layer a view, with the
 * partition's key in `partition_key` and its place in `partition_place`; what was calculated for the parcels stands in the schema
 * `calculations`, by `partition_key` and `ord`. The predicates of the parcel search are functions there. It can read no other files, and never writes.
 */
export class ReleaseTables {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  /** In the order of the manifest. */
  readonly tables: readonly ReleaseTable[];

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, tables: readonly ReleaseTable[]) {
    this.#instance = instance;
    this.#connection = connection;
    this.tables = tables;
  }

  /**
   * Opens the tables of a release.
   * @param releases folder to which the manifest's paths are relative.
   * @param pack what of the release is there, where it is the home of a pack: the rest is left out.
   */
  static async open(releases: string, manifest: Manifest, pack: PackDocument | null = null): Promise<ReleaseTables> {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await registerPredicates(connection);
    const paths: string[] = [];
    const tables: ReleaseTable[] = [];
    const calculations = [...calculationParts(manifest, releases)].map(
      ([name, parts]) => [CALCULATIONS, name, parts] as const,
    );
    const there = pack && new Set(pack.files.map(path => join(releases, path)));
    for (const [schema, name, all] of [...layerParts(manifest, releases), ...calculations]) {
      const parts = all.filter(({ path }) => there === null || there.has(path));
      if (parts.length === 0) continue;
      const rows = parts.reduce((sum, part) => sum + part.rows, 0);
      tables.push({ name: `${schema}.${name}`, rows, partitions: parts.length });
      paths.push(...parts.map(({ path }) => path));
      const selects = parts.map(
        ({ key, path, more }) =>
          `SELECT *, ${literal(key)} AS partition_key${more} FROM read_parquet(${literal(path)})`,
      );
      await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`);
      await connection.run(`CREATE VIEW ${quoted(schema)}.${quoted(name)} AS ${selects.join(' UNION ALL BY NAME ')}`);
    }
    await connection.run(
      `SET allowed_paths=[${paths.map(literal).join(', ')}]; SET enable_external_access=false; SET lock_configuration=true`,
    );
    return new ReleaseTables(instance, connection, tables);
  }

  /**
   * Runs one SELECT (or DESCRIBE, SHOW) and calls `row` for each row, in order, with JSON values, geometries as WKT.
   * @param parameters values of $1, $2 and so on.
   * @returns the names of the columns.
   * @throws UsageError when the text is anything else or DuckDB refuses it, with DuckDB's reason, and the nearest
   *   names of a table that is not there.
   */
  async select(
    text: string,
    row: (values: readonly Json[], columns: readonly string[]) => void,
    parameters: readonly SqlValue[] = [],
  ): Promise<string[]> {
    try {
      const statements = await this.#connection.extractStatements(text);
      if (statements.count !== 1) throw new UsageError(`sql: expected one SELECT, got ${statements.count} statements`);
      const prepared = await statements.prepare(0);
      if (prepared.statementType !== StatementType.SELECT)
        throw new UsageError(
          `sql: expected a SELECT, got ${StatementType[prepared.statementType]}: releases never change`,
        );
      if (prepared.parameterCount !== parameters.length)
        throw new UsageError(
          `sql: the statement has ${prepared.parameterCount} parameters, and ${parameters.length} values were given`,
        );
      prepared.bind(parameters.map(bound), parameters.map(typeOf));
      const result = await prepared.stream();
      const columns = result.deduplicatedColumnNames();
      const long = result.columnTypes().map(({ typeId }) => LONG_NUMBERS.includes(typeId));
      for await (const rows of result.yieldConvertedRows(printable))
        for (const values of rows)
          row(
            values.map((value, i) => (long[i] ? numeric(value) : value)),
            columns,
          );
      return columns;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      const { message } = error as Error;
      const [, missing] = NO_TABLE.exec(message) ?? [];
      throw new UsageError(missing === undefined ? `sql: ${message}` : this.#noTable(missing));
    }
  }

  /**
   * The columns of a table, in order, with their types in SQL.
   * @param name as `tables` has it.
   * @throws UsageError when there is no such table, with the nearest.
   */
  async columns(name: string): Promise<{ readonly name: string; readonly type: string }[]> {
    if (!this.tables.some(table => table.name === name)) throw new UsageError(this.#noTable(name));
    const columns: { name: string; type: string }[] = [];
    await this.select(`DESCRIBE ${name.split('.').map(quoted).join('.')}`, ([column, type]) => {
      columns.push({ name: String(column), type: String(type) });
    });
    return columns;
  }

  #noTable(name: string): string {
    const names = this.tables.map(table => table.name);
    // Most names of calculations are those of layers too, which are meant more often.
    const isCalculation = (table: string) => table.startsWith(`${CALCULATIONS}.`);
    const nearest = nearestNames(
      name,
      name.startsWith(CALCULATIONS.slice(0, 4)) ? names : names.filter(table => !isCalculation(table)),
    );
    const advice = nearest.length > 0 ? ` Nearest: ${namesText(nearest)}.` : '';
    return `sql: this release has no table ${JSON.stringify(name)}.${advice} \`plat sql\` lists all.`;
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}
