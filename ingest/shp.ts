import type { Geometry } from '../datasets/geometry.ts';
import { ReadError } from './reader.ts';
import { polygonOfRings } from './rings.ts';
import { UnreadGeometry } from './unread.ts';

/** Header of a .shp file (ESRI Shapefile Technical Description, July 1998). */
export interface ShpHeader {
  /** Length of the whole file in bytes. */
  readonly length: number;
  readonly shapeType: number;
}

export const SHP_HEADER_BYTES = 100;
/** Where the box of a record's content ends; it stands behind the shape type. */
export const SHP_BOX_END = 36;

const NO_PARTS = new Uint32Array(0);
const NULL = 0;
const POINT = 1;
const POLYLINE = 3;
const POLYGON = 5;
const MULTIPOINT = 8;
const MULTIPATCH = 31;

/** Reads the 100-byte header. @throws ReadError file_corrupt when it is not a .shp header. */
export function shpHeader(bytes: Buffer, file: string): ShpHeader {
  if (bytes.readInt32BE(0) !== 9994 || bytes.readInt32LE(28) !== 1000)
    throw new ReadError('file_corrupt', file, null, 'the .shp does not begin with a shapefile header (code 9994)');
  return { length: bytes.readInt32BE(24) * 2, shapeType: bytes.readInt32LE(32) };
}

/** Copies `count` x,y pairs out of a little-endian record that need not be aligned. */
function pairs(bytes: Buffer, offset: number, count: number): Float64Array {
  const xy = new Float64Array(2 * count);
  // For short geometries, reading number by number is faster than a second typed array.
  if (count <= 8) for (let i = 0; i < 2 * count; i++) xy[i] = bytes.readDoubleLE(offset + 8 * i);
  else new Uint8Array(xy.buffer).set(bytes.subarray(offset, offset + 16 * count));
  return xy;
}

/** Reads the box of a record of lines, polygons or several points. @param start first byte of its content. */
export function shpBox(bytes: Buffer, start: number): Geometry {
  const [west, south, east, north] = pairs(bytes, start + 4, 2) as unknown as [number, number, number, number];
  const xy = Float64Array.of(west, south, east, south, east, north, west, north, west, south);
  return { type: 'Polygon', xy, ends: Uint32Array.of(5), parts: Uint32Array.of(1) };
}

/**
 * Decodes the content of one .shp record into a geometry. Z and M are dropped; rings become polygons.
 * @param bytes buffer that holds the record. @param start first byte of its content. @param length in bytes.
 * @returns null for the null shape.
 * @throws ReadError file_corrupt when counts exceed the record; UnreadGeometry for multipatches.
 */
export function shpGeometry(bytes: Buffer, start: number, length: number, file: string, row: number): Geometry | null {
  const corrupt = (what: string) => new ReadError('file_corrupt', file, row, `the .shp record ${what}`);
  if (length < 4) throw corrupt(`has ${length} bytes; at least 4 were expected`);
  const declared = bytes.readInt32LE(start);
  if (declared === NULL) return null;
  if (declared === MULTIPATCH)
    throw new UnreadGeometry(file, row, 'MultiPatch surfaces are not read; convert to polygons');
  const shape = declared % 10;
  if (declared < 0 || declared > 28 || ![POINT, POLYLINE, POLYGON, MULTIPOINT].includes(shape))
    throw corrupt(`has shape type ${declared}, which does not exist`);
  if (shape === POINT) {
    if (length < 20) throw corrupt(`ends inside its point (${length} of 20 bytes)`);
    const xy = pairs(bytes, start + 4, 1);
    // ESRI writes an empty point as not-a-number.
    return Number.isNaN(xy[0]!) ? null : { type: 'Point', xy, ends: Uint32Array.of(1), parts: NO_PARTS };
  }
  const least = shape === MULTIPOINT ? 40 : 44;
  if (length < least) throw corrupt(`has ${length} bytes; at least ${least} were expected`);
  if (shape === MULTIPOINT) {
    const count = bytes.readInt32LE(start + 36);
    if (count < 0 || 40 + 16 * count > length) throw corrupt(`announces ${count} points in ${length} bytes`);
    if (count === 0) return null;
    return { type: 'MultiPoint', xy: pairs(bytes, start + 40, count), ends: Uint32Array.of(count), parts: NO_PARTS };
  }
  const partCount = bytes.readInt32LE(start + 36);
  const count = bytes.readInt32LE(start + 40);
  if (partCount < 0 || count < 0 || 44 + 4 * partCount + 16 * count > length)
    throw corrupt(`announces ${partCount} parts and ${count} points in ${length} bytes`);
  if (partCount === 0 || count === 0) return null;
  const ends = new Uint32Array(partCount);
  let previous = 0;
  for (let i = 1; i <= partCount; i++) {
    const end = i === partCount ? count : bytes.readInt32LE(start + 44 + 4 * i);
    if (end < previous || end > count) throw corrupt('has parts that are not in order');
    ends[i - 1] = end;
    previous = end;
  }
  const xy = pairs(bytes, start + 44 + 4 * partCount, count);
  if (shape === POLYGON) return polygonOfRings(xy, ends);
  return { type: partCount === 1 ? 'LineString' : 'MultiLineString', xy, ends, parts: NO_PARTS };
}
