import { ByteBuffer } from 'flatbuffers';
import { Feature } from 'flatgeobuf/lib/mjs/flat-geobuf/feature.js';
import type { Geometry as FlatGeometry } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry.js';
import { fromByteBuffer, type HeaderMeta } from 'flatgeobuf/lib/mjs/header-meta.js';
import { calcTreeSize } from 'flatgeobuf/lib/mjs/packedrtree.js';
import type { Geometry, GeometryType } from '../../datasets/geometry.ts';
import { ByteCursor, fileSize, openBytes, readFailure } from '../byte-cursor.ts';
import { statedCrs } from '../crs.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';

const TYPES: readonly (GeometryType | null)[] = [
  null,
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
];
const NO_PARTS = new Uint32Array(0);
/** A header or feature beyond this is garbage read as a length. */
const LARGEST = 1 << 30;

type Column = NonNullable<HeaderMeta['columns']>[number];
type Property = Row['properties'][string];

/** An integer of 64 bits as a number where that is exact, else as text. */
function integer(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** Property values of a feature: column index (u16) and value, in any order, absent ones null. */
function propertiesOf(
  bytes: Uint8Array | null,
  columns: readonly Column[],
  path: string,
  row: number,
): Row['properties'] {
  const properties: Record<string, Property> = {};
  for (const column of columns) properties[column.name] = null;
  if (!bytes) return properties;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 2 <= view.length; ) {
    const index = view.readUInt16LE(at);
    const column = columns[index];
    if (!column) throw new ReadError('file_corrupt', path, row, `names column ${index} of ${columns.length}`);
    at += 2;
    const text = () => {
      const length = view.readUInt32LE(at);
      if (at + 4 + length > view.length) throw new ReadError('file_corrupt', path, row, `${column.name} does not end`);
      at += 4 + length;
      return view.subarray(at - length, at);
    };
    const take = (size: number) => {
      at += size;
      return at - size;
    };
    properties[column.name] = readValue(column.type, view, take, text);
  }
  return properties;
}

/** One value by its column type code (FlatGeobuf header.fbs, ColumnType). */
function readValue(type: number, view: Buffer, take: (size: number) => number, text: () => Buffer): Property {
  switch (type) {
    case 0:
      return view.readInt8(take(1));
    case 1:
      return view.readUInt8(take(1));
    case 2:
      return view.readUInt8(take(1)) !== 0;
    case 3:
      return view.readInt16LE(take(2));
    case 4:
      return view.readUInt16LE(take(2));
    case 5:
      return view.readInt32LE(take(4));
    case 6:
      return view.readUInt32LE(take(4));
    case 7:
      return integer(view.readBigInt64LE(take(8)));
    case 8:
      return integer(view.readBigUInt64LE(take(8)));
    case 9:
      return view.readFloatLE(take(4));
    case 10:
      return view.readDoubleLE(take(8));
    case 14:
      return new Uint8Array(text());
    default:
      return text().toString('utf8');
  }
}

function flatten(flat: FlatGeometry, declared: number, path: string, row: number): Geometry | null {
  const code = declared || flat.type();
  const type = TYPES[code];
  if (!type)
    throw new ReadError(
      'geometry_unsupported',
      path,
      row,
      code === 7 ? 'GeometryCollections are not read; split them by type' : `geometry type ${code} is not read`,
    );
  if (type !== 'MultiPolygon') {
    const count = flat.xyLength();
    if (count === 0) return null;
    // Copies: the arrays must outlive the feature's buffer without keeping it.
    const xy = flat.xyArray()!.slice();
    const ends = flat.endsLength() ? flat.endsArray()!.slice() : Uint32Array.of(count / 2);
    return { type, xy, ends, parts: type === 'Polygon' ? Uint32Array.of(ends.length) : NO_PARTS };
  }
  const polygons: Geometry[] = [];
  for (let i = 0; i < flat.partsLength(); i++) {
    const part = flatten(flat.parts(i)!, 3, path, row);
    if (part) polygons.push(part);
  }
  // A polygon of one part may be written without the parts level.
  if (polygons.length === 0 && flat.xyLength() > 0) polygons.push(flatten(flat, 3, path, row)!);
  if (polygons.length === 0) return null;
  const xy = new Float64Array(polygons.reduce((sum, p) => sum + p.xy.length, 0));
  const ends: number[] = [];
  const parts: number[] = [];
  let at = 0;
  for (const polygon of polygons) {
    for (const end of polygon.ends) ends.push(at / 2 + end);
    xy.set(polygon.xy, at);
    at += polygon.xy.length;
    parts.push(ends.length);
  }
  return { type, xy, ends: Uint32Array.from(ends), parts: Uint32Array.from(parts) };
}

/** Reads magic bytes and header; the cursor then stands at the index or the first feature. */
async function readHeader(cursor: ByteCursor, path: string): Promise<HeaderMeta> {
  const truncated = () => new ReadError('file_truncated', path, null, 'ends inside its header; fetch it again');
  if (!(await cursor.fill(12))) throw truncated();
  const magic = cursor.buffer.subarray(cursor.at, cursor.at + 8);
  if (magic.toString('latin1', 0, 3) !== 'fgb')
    throw new ReadError('file_corrupt', path, null, 'does not begin with the FlatGeobuf magic bytes');
  if (magic[3] !== 3)
    throw new ReadError('format_unsupported', path, null, `is FlatGeobuf version ${magic[3]}; version 3 was expected`);
  cursor.at += 8;
  const length = cursor.buffer.readUInt32LE(cursor.at);
  if (length < 8 || length > LARGEST)
    throw new ReadError('file_corrupt', path, null, `has a header of ${length} bytes`);
  if (!(await cursor.fill(4 + length))) throw truncated();
  const bytes = new Uint8Array(cursor.buffer.subarray(cursor.at, cursor.at + 4 + length));
  cursor.at += 4 + length;
  try {
    return fromByteBuffer(new ByteBuffer(bytes));
  } catch (error) {
    throw new ReadError('file_corrupt', path, null, `has an unreadable header (${(error as Error).message})`);
  }
}

function crsOf(header: HeaderMeta): string | null {
  const { crs } = header;
  if (!crs) return null;
  if (crs.code > 0 && (!crs.org || crs.org.toUpperCase() === 'EPSG')) return `EPSG:${crs.code}`;
  return crs.wkt || (crs.org && crs.code > 0 ? `${crs.org}:${crs.code}` : null);
}

class FlatGeobufSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count: number | null;
  readonly #path: string;

  constructor(path: string, header: HeaderMeta, crs: string | null) {
    this.#path = path;
    this.crs = crs;
    this.columns = (header.columns ?? []).map(c => c.name);
    this.count = header.featuresCount || null;
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const cursor = new ByteCursor(openBytes(path));
    const batch = new RowBatch();
    let number = 0;
    try {
      const header = await readHeader(cursor, path);
      const { featuresCount: count, indexNodeSize } = header;
      const truncated = () =>
        new ReadError(
          'file_truncated',
          path,
          number || null,
          `ends before ${count || 'its'} features do; fetch it again`,
        );
      if (count > 0 && indexNodeSize > 0 && !(await cursor.skip(calcTreeSize(count, indexNodeSize)))) throw truncated();
      while (count === 0 || number < count) {
        if (cursor.available < 4 && !(await cursor.fill(4))) {
          if (count === 0 && cursor.available === 0) break;
          throw truncated();
        }
        number++;
        const length = cursor.buffer.readUInt32LE(cursor.at);
        if (length < 8 || length > LARGEST)
          throw new ReadError('file_corrupt', path, number, `claims a length of ${length} bytes`);
        if (cursor.available < 4 + length && !(await cursor.fill(4 + length))) throw truncated();
        // An own copy puts the feature on an aligned address, which its vectors need.
        const bytes = new Uint8Array(cursor.buffer.subarray(cursor.at, cursor.at + 4 + length));
        cursor.at += 4 + length;
        if (batch.push(this.#row(bytes, header, number))) {
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

  #row(bytes: Uint8Array, header: HeaderMeta, number: number): Row {
    const feature = Feature.getSizePrefixedRootAsFeature(new ByteBuffer(bytes));
    const flat = feature.geometry();
    return {
      number,
      properties: propertiesOf(feature.propertiesArray(), header.columns ?? [], this.#path, number),
      geometry: flat ? flatten(flat, header.geometryType, this.#path, number) : null,
    };
  }

  async close(): Promise<void> {}
}

/** FlatGeobuf version 3, with or without index, in file order. */
export const reader: Reader = {
  name: 'flatgeobuf',
  endings: ['.fgb'],
  async open(path, options) {
    await fileSize(path);
    const cursor = new ByteCursor(openBytes(path));
    try {
      const header = await readHeader(cursor, path);
      return new FlatGeobufSource(path, header, statedCrs(crsOf(header), options));
    } catch (error) {
      throw readFailure(error, path, null);
    } finally {
      cursor.close();
    }
  },
};
