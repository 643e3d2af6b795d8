import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import type { Geometry } from '../../datasets/geometry.ts';
import type { ColumnPick } from '../../query/format/column-pick.ts';
import { decodeHeader, type FeatureHeader, MAGIC } from '../../query/format/feature-header.ts';
import { FeatureRecord, type StoredColumn } from '../../query/format/feature-record.ts';
import { indexBytesOf } from '../../query/format/packed-rtree.ts';
import { ByteCursor, fileSize, openBytes, readFailure } from '../byte-cursor.ts';
import { statedCrs } from '../crs.ts';
import { limitBytes, limitPassed } from '../read-limits.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';
import { readable, tooLarge, UnreadGeometry } from '../unread.ts';
import { curvesToWkb, decodeWkb } from '../wkb.ts';

/** Greatest length of a header or feature in bytes. A larger number is not a length. */
const LARGEST = 1 << 30;

type Property = Row['properties'][string];

/** Reads the rows of a file one after another, directly from its buffer. */
class RowReader {
  readonly #path: string;
  readonly #header: FeatureHeader;
  readonly #record: FeatureRecord;
  readonly #all: ColumnPick;
  readonly #at: Int32Array;
  readonly #widths: Int32Array;

  constructor(path: string, header: FeatureHeader) {
    this.#path = path;
    this.#header = header;
    const { length } = header.columns;
    this.#record = new FeatureRecord(header.columns, true);
    this.#all = { mask: new Uint8Array(length).fill(1), places: Int32Array.from({ length }, (_, i) => i) };
    this.#at = new Int32Array(length);
    this.#widths = new Int32Array(length);
  }

  /** Reads one row. @param bytes that hold the row from `start` on; the row's values are copies. */
  read(bytes: Buffer, start: number, length: number, number: number): Row {
    this.#record.open(bytes, start, length);
    return {
      number,
      properties: this.#properties(bytes),
      ...readable(() => this.#geometry(number, bytes.subarray(start, start + length))),
    };
  }

  #geometry(number: number, record: Buffer): Geometry | null {
    const { type } = this.#header;
    const code = this.#record.geometryType(type);
    if (code === null) return null;
    if (code >= GeometryType.CircularString && code <= GeometryType.MultiSurface)
      return decodeWkb(curvesToWkb(record, code), this.#path, number);
    if (code < GeometryType.Point || code > GeometryType.MultiPolygon)
      throw new UnreadGeometry(
        this.#path,
        number,
        code === GeometryType.GeometryCollection
          ? 'GeometryCollections are not read; split them by type'
          : `geometry type ${code} is not read`,
      );
    return this.#record.geometry(type);
  }

  #properties(bytes: Buffer): Row['properties'] {
    this.#record.locate(this.#all, this.#at, this.#widths);
    const properties: Record<string, Property> = {};
    this.#header.columns.forEach((column, i) => {
      const at = this.#at[i]!;
      if (at >= 0) properties[column.name] = this.#value(column, bytes, at, this.#widths[i]!);
      else if (!Object.hasOwn(properties, column.name)) properties[column.name] = null;
    });
    return properties;
  }

  /** Reads a value. Published files also hold bytes, integers beyond 2^53, and text that is not UTF-8. */
  #value(column: StoredColumn, bytes: Buffer, at: number, width: number): Property {
    switch (column.type) {
      case ColumnType.Long:
        return integer(bytes.readBigInt64LE(at));
      case ColumnType.ULong:
        return integer(bytes.readBigUInt64LE(at));
      case ColumnType.Binary:
        return new Uint8Array(bytes.subarray(at, at + width));
      case ColumnType.String:
      case ColumnType.Json:
      case ColumnType.DateTime:
        return bytes.toString('utf8', at, at + width);
      default:
        return this.#record.value(column, at, width);
    }
  }
}

/** Returns a 64-bit integer as a number if that is exact, else as text. */
function integer(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** Reads magic bytes and header; the cursor then stands at the index or the first feature. */
async function readHeader(cursor: ByteCursor, path: string): Promise<FeatureHeader> {
  const truncated = () => new ReadError('file_truncated', path, null, 'ends inside its header; fetch it again');
  if (!(await cursor.fill(12))) throw truncated();
  const magic = cursor.buffer.subarray(cursor.at, cursor.at + 8);
  if (!magic.subarray(0, 3).equals(MAGIC.subarray(0, 3)))
    throw new ReadError('file_corrupt', path, null, 'does not begin with the FlatGeobuf magic bytes');
  if (magic[3] !== MAGIC[3])
    throw new ReadError('format_unsupported', path, null, `is FlatGeobuf version ${magic[3]}; version 3 was expected`);
  cursor.at += 8;
  const length = cursor.buffer.readUInt32LE(cursor.at);
  if (length < 8 || length > LARGEST)
    throw new ReadError('file_corrupt', path, null, `has a header of ${length} bytes`);
  if (!(await cursor.fill(4 + length))) throw truncated();
  const bytes = new Uint8Array(cursor.buffer.subarray(cursor.at, cursor.at + 4 + length));
  cursor.at += 4 + length;
  try {
    return decodeHeader(bytes);
  } catch (error) {
    throw new ReadError('file_corrupt', path, null, `has an unreadable header (${(error as Error).message})`);
  }
}

/**
 * Walks over the features of a file by their lengths, without reading them.
 * @throws ReadError file_truncated or file_corrupt when they do not end where the file ends, or are not as many as its header says.
 */
export async function requireFeatures(path: string, signal?: AbortSignal): Promise<void> {
  const cursor = new ByteCursor(openBytes(path), path);
  try {
    const { count, nodeSize } = await readHeader(cursor, path);
    const truncated = (rows: number) =>
      new ReadError('file_truncated', path, null, `ends after ${rows} of ${count || 'its'} features; fetch it again`);
    if (!(await cursor.skip(indexBytesOf(count, nodeSize)))) throw truncated(0);
    let rows = 0;
    for (; await cursor.fill(1); rows++) {
      if (rows % 1024 === 0) signal?.throwIfAborted();
      if (!(await cursor.fill(4))) throw truncated(rows);
      const length = cursor.buffer.readUInt32LE(cursor.at);
      if (!(await cursor.skip(4 + length))) throw truncated(rows);
    }
    // A header without a count says 0.
    if (count > 0 && rows < count) throw truncated(rows);
    if (count > 0 && rows > count)
      throw new ReadError('file_corrupt', path, null, `has more than the ${count} features that its header says`);
  } finally {
    cursor.close();
  }
}

class FlatGeobufSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count: number | null;
  readonly #path: string;

  constructor(path: string, header: FeatureHeader, crs: string | null) {
    this.#path = path;
    this.crs = crs;
    this.columns = header.columns.map(column => column.name);
    this.count = header.count || null;
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const cursor = new ByteCursor(openBytes(path), path);
    const batch = new RowBatch();
    let number = 0;
    try {
      const header = await readHeader(cursor, path);
      const rows = new RowReader(path, header);
      const { count, nodeSize } = header;
      const truncated = () =>
        new ReadError(
          'file_truncated',
          path,
          number || null,
          `ends before ${count || 'its'} features do; fetch it again`,
        );
      if (!(await cursor.skip(indexBytesOf(count, nodeSize)))) throw truncated();
      while (count === 0 || number < count) {
        if (cursor.available < 4 && !(await cursor.fill(4))) {
          if (count === 0 && cursor.available === 0) break;
          throw truncated();
        }
        number++;
        const length = cursor.buffer.readUInt32LE(cursor.at);
        if (length < 8 || length > LARGEST)
          throw new ReadError('file_corrupt', path, number, `claims a length of ${length} bytes`);
        const isTooLarge = 4 + length > limitBytes('valueMb');
        const whole = cursor.available >= 4 + length;
        if (!whole && !isTooLarge && !(await cursor.fill(4 + length))) throw truncated();
        const row = isTooLarge
          ? tooLarge(number, limitPassed('valueMb', path, number, `a feature of ${length} bytes`))
          : rows.read(cursor.buffer, cursor.at, 4 + length, number);
        if (!(await cursor.skip(4 + length))) throw truncated();
        if (batch.push(row)) {
          checkAborted(signal, path, number);
          yield batch.take();
        }
      }
      checkAborted(signal, path, number);
      if (batch.size > 0) yield batch.take();
    } catch (error) {
      throw readFailure(error, path, number || null);
    } finally {
      cursor.close();
    }
  }

  async close(): Promise<void> {}
}

/** Reads FlatGeobuf version 3, with or without index, in file order. */
export const reader: Reader = {
  name: 'flatgeobuf',
  endings: ['.fgb'],
  async open(path, options) {
    await fileSize(path);
    const cursor = new ByteCursor(openBytes(path), path);
    try {
      const header = await readHeader(cursor, path);
      return new FlatGeobufSource(path, header, statedCrs(header.crs, options));
    } catch (error) {
      throw readFailure(error, path, null);
    } finally {
      cursor.close();
    }
  },
};
