import { open as openFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import type { Geometry } from '../../datasets/geometry.ts';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { fileSize, readFailure } from '../byte-cursor.ts';
import { statedCrs } from '../crs.ts';
import { limitBytes, limitPassed, readLimits } from '../read-limits.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';
import { readable, tooLarge, UnreadGeometry } from '../unread.ts';
import { decodeWkb } from '../wkb.ts';

/** Doubles of the envelope in a geometry's header, by its indicator (GeoPackage 1.3, 2.1.3). */
const ENVELOPE_DOUBLES = [0, 4, 6, 6, 8];
const EMPTY_FLAG = 0x10;
const EXTENDED_FLAG = 0x20;
const FORMAT_TABLES = ['gpkg_contents', 'gpkg_geometry_columns', 'gpkg_spatial_ref_sys'];
const SQLITE_MAGIC = 'SQLite format 3\0';

/** A layer, from gpkg_contents and gpkg_geometry_columns. */
interface Layer {
  readonly table: string;
  /** Name of the geometry column; null for a table without geometry. */
  readonly geometry: string | null;
  readonly crs: string | null;
}

/** Quotes an identifier of the file's own tables for SQL. */
function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Decodes a GeoPackage geometry blob: header, envelope, then ISO WKB. */
function decodeBlob(bytes: Uint8Array, path: string, row: number): Geometry | null {
  const fail = (what: string) => new ReadError('file_corrupt', path, row, `the geometry ${what}`);
  if (bytes.length < 8 || bytes[0] !== 0x47 || bytes[1] !== 0x50) throw fail('does not begin with GP');
  const flags = bytes[3]!;
  if (flags & EXTENDED_FLAG)
    throw new UnreadGeometry(path, row, 'the geometry is of an extended type, which is not read');
  const doubles = ENVELOPE_DOUBLES[(flags >> 1) & 7];
  if (doubles === undefined) throw fail(`has envelope indicator ${(flags >> 1) & 7}; 0 to 4 was expected`);
  if (flags & EMPTY_FLAG) return null;
  const start = 8 + 8 * doubles;
  if (bytes.length <= start) throw fail('ends in its header');
  const geometry = decodeWkb(bytes.subarray(start), path, row);
  return geometry && geometry.xy.length > 0 ? geometry : null;
}

/** Checks the length by the page count of the header, because SQLite notices a cut-off file only at a missing page. */
async function checkLength(path: string): Promise<void> {
  const size = await fileSize(path);
  const file = await openFile(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
    if (buffer.toString('latin1', 0, 16) !== SQLITE_MAGIC)
      throw new ReadError('file_corrupt', path, null, 'is no SQLite file; a GeoPackage was expected');
    if (bytesRead < 100) throw new ReadError('file_truncated', path, null, 'ends inside its header; fetch it again');
    const page = buffer.readUInt16BE(16) === 1 ? 65536 : buffer.readUInt16BE(16);
    // The page count holds only when both change counters agree (SQLite file format, 1.3.8).
    const pages = buffer.readUInt32BE(24) === buffer.readUInt32BE(92) ? buffer.readUInt32BE(28) : 0;
    if (pages * page > size)
      throw new ReadError('file_truncated', path, null, `has ${size} bytes of ${pages * page}; fetch it again`);
  } finally {
    await file.close();
  }
}

/** Requires that a name is a table. A view could be a query that never ends. @throws ReadError format_unsupported. */
function requireTable(database: DatabaseSync, name: string, path: string): void {
  const found = database.prepare('SELECT type FROM sqlite_schema WHERE name = ? COLLATE NOCASE').get(name) as
    | { type: string }
    | undefined;
  if (found && found.type !== 'table')
    throw new ReadError(
      'format_unsupported',
      path,
      null,
      `"${name}" is a ${found.type}; only tables are read: copy it into one`,
    );
}

/**
 * Returns the expression of SQL that measures the largest value of a row, in bytes.
 * @throws ReadError limit_passed when there are too many columns; format_unsupported for columns that are calculated.
 */
function largestValue(database: DatabaseSync, table: string, path: string): string {
  const columns = database.prepare('SELECT name, hidden FROM pragma_table_xinfo(?)').all(table) as {
    name: string;
    hidden: number;
  }[];
  const calculated = columns.find(({ hidden }) => hidden > 0);
  if (calculated)
    throw new ReadError(
      'format_unsupported',
      path,
      null,
      `column "${calculated.name}" is calculated; only stored ones are read: copy the table`,
    );
  if (columns.length > readLimits().columns)
    throw limitPassed('columns', path, null, `a table of ${columns.length} columns`);
  return `max(0, ${columns.map(({ name }) => `coalesce(octet_length(${quoted(name)}), 0)`).join(', ')})`;
}

function layersOf(database: DatabaseSync): Layer[] {
  const rows = database
    .prepare(
      `SELECT c.table_name AS name, g.column_name AS geometry, s.organization AS authority,
              s.organization_coordsys_id AS code, s.definition AS wkt
       FROM gpkg_contents c
       LEFT JOIN gpkg_geometry_columns g ON g.table_name = c.table_name
       LEFT JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id
       WHERE c.data_type IN ('features', 'attributes') ORDER BY c.table_name`,
    )
    .all() as { name: string; geometry: string | null; authority: string | null; code: number; wkt: string | null }[];
  return rows.map(row => {
    const epsg = row.authority?.toUpperCase() === 'EPSG' && row.code > 0;
    const wkt = row.wkt && row.wkt !== 'undefined' ? row.wkt : null;
    return { table: row.name, geometry: row.geometry, crs: epsg ? `EPSG:${row.code}` : wkt };
  });
}

function chosen(layers: readonly Layer[], options: FormatOptions, path: string): Layer {
  const names = layers.map(l => l.table);
  const { layer } = options;
  const found = layer === undefined ? (layers.length === 1 ? layers[0] : undefined) : layers[names.indexOf(layer)];
  if (found) return found;
  throw new ReadError(
    'part_missing',
    path,
    null,
    layer === undefined
      ? `holds ${layers.length} layers (${names.join(', ')}); set options.layer to one of them`
      : `has no layer "${layer}"; it holds ${names.join(', ')}`,
    { option: 'layer', names },
  );
}

class GeoPackageSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count: number;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #layer: Layer;
  /** Expression of SQL for the bytes of the largest value of a row. */
  readonly #largest: string;

  constructor(path: string, database: DatabaseSync, layer: Layer, options: FormatOptions) {
    this.#largest = largestValue(database, layer.table, path);
    this.#path = path;
    this.#database = database;
    this.#layer = layer;
    this.crs = layer.geometry === null ? null : statedCrs(layer.crs, options);
    const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(layer.table) as { name: string }[];
    this.columns = columns.map(c => c.name).filter(name => name !== layer.geometry);
    const counted = database.prepare(`SELECT count(*) AS n FROM ${quoted(layer.table)}`).get() as { n: number };
    this.count = counted.n;
  }

  /** Rows that hold too large a value, by their number. SQLite measures a value without reading it. */
  #tooLarge(): Map<number, Row> {
    const measured = `SELECT row_number() OVER () AS number, ${this.#largest} AS bytes FROM ${quoted(this.#layer.table)}`;
    const rows = this.#database
      .prepare(`SELECT number, bytes FROM (${measured}) WHERE bytes > ?`)
      .all(limitBytes('valueMb')) as { number: number; bytes: number }[];
    return new Map(
      rows.map(({ number, bytes }) => [
        number,
        tooLarge(number, limitPassed('valueMb', this.#path, number, `a value of ${bytes} bytes`)),
      ]),
    );
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const { table, geometry } = this.#layer;
    const batch = new RowBatch();
    let number = 0;
    try {
      const large = this.#tooLarge();
      const leaveOut = () => {
        for (let row = large.get(number + 1); row; row = large.get(number + 1)) {
          batch.push(row);
          number++;
        }
      };
      const statement = this.#database.prepare(`SELECT * FROM ${quoted(table)} WHERE ${this.#largest} <= ?`);
      statement.setReadBigInts(true);
      leaveOut();
      for (const record of statement.iterate(limitBytes('valueMb')) as Iterable<Record<string, unknown>>) {
        number++;
        const properties: Row['properties'] = {};
        for (const name of this.columns) {
          const value = record[name];
          if (typeof value === 'bigint') {
            const exact = Number(value);
            properties[name] = Number.isSafeInteger(exact) ? exact : value.toString();
          } else properties[name] = (value ?? null) as Row['properties'][string];
        }
        const blob = geometry === null ? null : record[geometry];
        if (blob !== null && blob !== undefined && !(blob instanceof Uint8Array))
          throw new ReadError('file_corrupt', this.#path, number, `the geometry is a ${typeof blob}, not a blob`);
        const located = readable(() => (blob ? decodeBlob(blob, this.#path, number) : null));
        if (batch.push({ number, properties, ...located })) {
          checkAborted(signal, this.#path, number);
          yield batch.take();
        }
        leaveOut();
      }
      checkAborted(signal, this.#path, number);
      if (batch.size > 0) yield batch.take();
    } catch (error) {
      throw readFailure(error, this.#path, error instanceof ReadError ? error.row : number + 1);
    }
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}

/**
 * Reads layers of a GeoPackage, with or without geometry. `options.layer` names the table if there are several. Arcs become
 * straight pieces.
 */
export const reader: Reader = {
  name: 'geopackage',
  endings: ['.gpkg'],
  async open(path, options) {
    let database: DatabaseSync | null = null;
    try {
      await checkLength(path);
      database = new DatabaseSync(path, { readOnly: true });
      database.exec('PRAGMA trusted_schema = OFF');
      for (const name of FORMAT_TABLES) requireTable(database, name, path);
      const layer = chosen(layersOf(database), options, path);
      requireTable(database, layer.table, path);
      return new GeoPackageSource(path, database, layer, options);
    } catch (error) {
      database?.close();
      if ((error as Error).message === 'no such table: gpkg_contents')
        throw new ReadError('file_corrupt', path, null, 'is SQLite but no GeoPackage: it has no gpkg_contents');
      throw readFailure(error, path, null);
    }
  },
};
