import { type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { readFailure } from '../byte-cursor.ts';
import { withStraightEdges } from '../crs/spherical-edges.ts';
import { statedCrs } from '../crs.ts';
import { PointColumns } from '../point-columns.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';
import { openSliced, type SlicedFile } from '../sliced-file.ts';
import { readable } from '../unread.ts';
import { decodeWkb } from '../wkb.ts';

/** The members of the `geo` metadata (GeoParquet 1.1) that this reader uses. */
interface Geo {
  readonly primary_column: string;
  readonly columns: Readonly<
    Record<
      string,
      {
        readonly encoding: string;
        /** How the line between two vertices goes; absent means planar. */
        readonly edges?: string;
        /** PROJJSON, before version 0.4 WKT; absent means OGC:CRS84, null means unknown. */
        readonly crs?: string | { readonly id?: { readonly authority: string; readonly code: string | number } } | null;
        /** Of a native column, whose CRS is a name. */
        readonly named?: string;
        readonly covering?: { readonly bbox?: Readonly<Record<string, readonly string[]>> };
      }
    >
  >;
}

type Property = Row['properties'][string];

/** Keeps bytes as bytes, because this file decodes the geometry into flat arrays. */
const PARSERS = {
  geometryFromBytes: (bytes: Uint8Array) => bytes,
  geographyFromBytes: (bytes: Uint8Array) => bytes,
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
};

function property(value: unknown): Property {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'object')
    return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? property(item) : item));
  return value as Property;
}

function geoOf(metadata: FileMetaData, path: string): Geo | null {
  const text = metadata.key_value_metadata?.find(entry => entry.key === 'geo')?.value;
  if (!text) return null;
  try {
    return JSON.parse(text) as Geo;
  } catch {
    throw new ReadError('file_corrupt', path, null, 'its geo metadata is no JSON');
  }
}

/**
 * The first column of the logical type GEOMETRY or GEOGRAPHY (Parquet 2.11), as if it were described by the `geo` metadata, which
 * such files need not have.
 */
function nativeGeo({ schema, key_value_metadata }: FileMetaData): Geo | null {
  for (const { name, logical_type } of schema) {
    if (logical_type?.type !== 'GEOMETRY' && logical_type?.type !== 'GEOGRAPHY') continue;
    const { crs } = logical_type as { readonly crs?: string };
    const key = /^projjson:(.+)$/.exec(crs ?? '')?.[1];
    const text = key === undefined ? crs : key_value_metadata?.find(entry => entry.key === key)?.value;
    const stated = text?.replace(/^srid:/i, 'EPSG:');
    const described = stated?.startsWith('{') ? { crs: JSON.parse(stated) } : stated ? { named: stated } : {};
    const edges = logical_type.type === 'GEOGRAPHY' ? (logical_type.algorithm ?? 'SPHERICAL').toLowerCase() : 'planar';
    return { primary_column: name, columns: { [name]: { encoding: 'WKB', edges, ...described } } };
  }
  return null;
}

/** What a file says of the column that the options name as geometry, or of its own choice; null where it says nothing of it. */
function chosenGeo(geo: Geo | null, wanted: string | undefined): Geo | null {
  if (!geo || wanted === undefined || wanted === geo.primary_column) return geo;
  return wanted in geo.columns ? { ...geo, primary_column: wanted } : null;
}

function crsOf(column: Geo['columns'][string]): string | null {
  if (column.named !== undefined) return column.named;
  if (column.crs === undefined) return 'OGC:CRS84';
  if (column.crs === null || typeof column.crs === 'string') return column.crs;
  const { id } = column.crs;
  return id ? `${id.authority.toUpperCase()}:${id.code}` : JSON.stringify(column.crs);
}

class ParquetSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count: number;
  readonly #path: string;
  readonly #file: SlicedFile;
  readonly #metadata: FileMetaData;
  readonly #geometry: string | null;
  /** All columns that are read. */
  readonly #all: readonly string[];
  /** Columns that the options name as geometry, of a file that says nothing of its own; null elsewhere. */
  readonly #points: PointColumns | null;
  readonly #isSpherical: boolean;

  constructor(path: string, file: SlicedFile, metadata: FileMetaData, geo: Geo | null, options: FormatOptions) {
    this.#path = path;
    this.#file = file;
    this.#metadata = metadata;
    this.count = Number(metadata.num_rows);
    this.#geometry = geo?.primary_column ?? null;
    this.#isSpherical = geo?.columns[geo.primary_column]?.edges === 'spherical';
    const columns: string[] = [];
    const schema = metadata.schema;
    for (let i = 1, left = 0; i < schema.length; i++) {
      if (left === 0) columns.push(schema[i]!.name);
      left += (schema[i]!.num_children ?? 0) - (left > 0 ? 1 : 0);
    }
    // The covering repeats the box of the geometry for row filters; it is not an attribute.
    this.#points = geo ? null : new PointColumns(path, columns, options);
    const column = geo?.columns[geo.primary_column];
    this.crs = column ? statedCrs(crsOf(column), options) : (this.#points?.crs ?? null);
    const covering = Object.values(geo?.columns[geo.primary_column]?.covering?.bbox ?? {}).map(p => p[0]);
    this.#all = columns.filter(name => !covering.includes(name));
    const shape = this.#geometry ?? options.geometry;
    this.columns = this.#all.filter(name => name !== shape);
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const geometryColumn = this.#geometry;
    const batch = new RowBatch();
    let number = 0;
    try {
      let rowStart = 0;
      for (const group of this.#metadata.row_groups) {
        checkAborted(signal, path, number);
        const rowEnd = rowStart + Number(group.num_rows);
        const records = await parquetReadObjects({
          file: this.#file,
          metadata: this.#metadata,
          columns: [...this.#all],
          rowStart,
          rowEnd,
          compressors,
          utf8: false,
          geoparquet: false,
          parsers: PARSERS,
        });
        rowStart = rowEnd;
        for (const record of records) {
          number++;
          const properties: Record<string, Property> = {};
          for (const name of this.columns) properties[name] = property(record[name]);
          const points = this.#points;
          const wkb = geometryColumn === null ? null : (record[geometryColumn] as Uint8Array | null | undefined);
          const located =
            points?.located(this.#all.map(name => record[name])) ??
            readable(() => {
              const decoded = wkb ? decodeWkb(wkb, path, number) : null;
              if (!decoded?.xy.length) return null;
              return this.#isSpherical ? withStraightEdges(decoded, path, number) : decoded;
            });
          if (batch.push({ number, properties, ...located })) {
            checkAborted(signal, path, number);
            yield batch.take();
          }
        }
      }
      if (number !== this.count)
        throw new ReadError('file_corrupt', path, number, `holds ${number} rows, its footer says ${this.count}`);
      if (batch.size > 0) yield batch.take();
    } catch (error) {
      throw readFailure(error, path, number || null);
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** A file cut off at its end lacks the closing magic bytes but still begins with them. */
async function checkMagic(file: SlicedFile, path: string): Promise<void> {
  const text = async (start: number, end: number) => Buffer.from(await file.slice(start, end)).toString('latin1');
  if (file.byteLength < 12 || (await text(0, 4)) !== 'PAR1')
    throw new ReadError('file_corrupt', path, null, 'does not begin with the Parquet magic bytes');
  if ((await text(file.byteLength - 4, file.byteLength)) !== 'PAR1')
    throw new ReadError('file_truncated', path, null, 'ends without its Parquet footer; fetch it again');
}

/** Reads GeoParquet with WKB geometry, Parquet with a GEOMETRY or GEOGRAPHY column, and plain Parquet without geometry. One row group is in memory at a time. */
export const reader: Reader = {
  name: 'geoparquet',
  endings: ['.geoparquet', '.parquet'],
  async open(path, options) {
    const file = await openSliced(path);
    try {
      await checkMagic(file, path);
      const metadata = await parquetMetadataAsync(file, { geoparquet: false });
      const geo = chosenGeo(geoOf(metadata, path) ?? nativeGeo(metadata), options.geometry);
      const column = geo?.columns[geo.primary_column];
      if (geo && !column)
        throw new ReadError('file_corrupt', path, null, `its geo metadata does not describe ${geo.primary_column}`);
      if (column && column.encoding !== 'WKB')
        throw new ReadError(
          'format_unsupported',
          path,
          null,
          `geometry encoding "${column.encoding}" is not read; use WKB`,
        );
      const { edges = 'planar' } = column ?? {};
      if (edges !== 'planar' && edges !== 'spherical')
        throw new ReadError(
          'format_unsupported',
          path,
          null,
          `edges of kind "${edges}" are not read; write them as planar ones, with vertices close enough (ST_Segmentize of PostGIS)`,
        );
      return new ParquetSource(path, file, metadata, geo, options);
    } catch (error) {
      await file.close();
      throw readFailure(error, path, null);
    }
  },
};
