import { ByteBuffer } from 'flatbuffers';
import { Feature } from 'flatgeobuf/lib/mjs/flat-geobuf/feature.js';
import type { Geometry as StoredGeometry } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import type { Geometry } from '../datasets/geometry.ts';
import { decodeWkb as decode, WkbError } from '../query/geometry/wkb.ts';
import { fromGeoJSON } from './geojson.ts';
import { ReadError } from './reader.ts';
import { wkbOfWkt } from './text/wkt-curves.ts';
import { collected, UnreadGeometry } from './unread.ts';

export { encodeWkb } from '../query/geometry/wkb.ts';

/**
 * Decodes a geometry from WKB, as query/geometry/wkb.ts does. A collection of one kind becomes one geometry.
 * @param file @param row named in errors.
 * @throws ReadError file_corrupt; UnreadGeometry for surfaces in space and collections of several kinds.
 */
export function decodeWkb(bytes: Uint8Array, file = 'WKB', row: number | null = null): Geometry | null {
  try {
    return decode(bytes);
  } catch (error) {
    if (!(error instanceof WkbError)) throw error;
    if (error.kind === 'corrupt') throw new ReadError('file_corrupt', file, row, error.message);
    if (error.members) return collected(error.members, file, row);
    throw new UnreadGeometry(file, row, error.message);
  }
}

const TYPES: Readonly<Record<string, string>> = {
  POINT: 'Point',
  LINESTRING: 'LineString',
  POLYGON: 'Polygon',
  MULTIPOINT: 'MultiPoint',
  MULTILINESTRING: 'MultiLineString',
  MULTIPOLYGON: 'MultiPolygon',
};
const HEAD = /^\s*(?:SRID=\d+;)?\s*([A-Z]+)\s*(?:ZM|Z|M)?\s*(EMPTY$|\()/i;
/** Flag of the type in the extended WKB of PostGIS. */
const WITH_SRID = 0x20000000;
/** Types of WKT that go through WKB, whose reader knows their arcs and collections. */
const CURVED =
  /^\s*(?:SRID=\d+;)?\s*(?:CIRCULARSTRING|COMPOUNDCURVE|CURVEPOLYGON|MULTICURVE|MULTISURFACE|GEOMETRYCOLLECTION)/i;
const HEX = /^(00|01)[0-9a-f]{8,}$/i;

/**
 * The number of a spatial reference that PostGIS writes into WKT and WKB; null without one.
 * @param text of a cell, as geometryOfText takes it.
 */
export function sridOfText(text: string): number | null {
  const written = /^\s*SRID=(\d+);/i.exec(text)?.[1];
  if (written !== undefined || !HEX.test(text)) return Number(written) || null;
  const head = Buffer.from(text.slice(0, 18), 'hex');
  if (head.length < 9) return null;
  const [type, srid] =
    head[0] === 1 ? [head.readUInt32LE(1), head.readUInt32LE(5)] : [head.readUInt32BE(1), head.readUInt32BE(5)];
  return (type & WITH_SRID) === 0 ? null : srid || null;
}

/** Reads a cell of a table as WKB; an empty geometry is none. @throws UnreadGeometry when it is no WKB, or as decodeWkb. */
export function geometryOfBytes(bytes: Uint8Array, file: string, row: number | null): Geometry | null {
  try {
    const geometry = decodeWkb(bytes, file, row);
    return geometry?.xy.length ? geometry : null;
  } catch (error) {
    throw error instanceof UnreadGeometry || !(error instanceof ReadError)
      ? error
      : new UnreadGeometry(file, row, error.why);
  }
}

/**
 * Reads a cell of a table as geometry: WKT, also with `SRID=n;`, or WKB in hexadecimal digits. Z and M are dropped.
 * @param file @param row named in errors. @throws UnreadGeometry when it is neither, is cut off, or is a mixed collection.
 */
export function geometryOfText(text: string, file: string, row: number | null): Geometry | null {
  if (HEX.test(text)) return geometryOfBytes(Buffer.from(text, 'hex'), file, row);
  const fail = () =>
    new UnreadGeometry(file, row, `"${text.slice(0, 40)}" is neither WKT nor WKB in hexadecimal digits`);
  if (CURVED.test(text)) {
    let bytes: Buffer;
    try {
      bytes = wkbOfWkt(text.replace(/^\s*SRID=\d+;/i, ''));
    } catch (error) {
      if (error instanceof RangeError) throw fail();
      throw error;
    }
    return geometryOfBytes(bytes, file, row);
  }
  const head = HEAD.exec(text);
  const type = TYPES[head?.[1]?.toUpperCase() ?? ''];
  if (!head || !type) throw fail();
  if (!head[2]!.startsWith('(')) return null;
  // Positions become arrays of numbers, and parentheses brackets.
  const nested = text
    .slice(text.indexOf('('))
    .replace(
      /[-+]?[\d.]+(?:e[-+]?\d+)?(?:\s+[-+]?[\d.]+(?:e[-+]?\d+)?)+/gi,
      position => `[${position.trim().split(/\s+/).map(Number).join(',')}]`,
    )
    .replaceAll('(', '[')
    .replaceAll(')', ']');
  let coordinates: unknown;
  try {
    coordinates = JSON.parse(nested);
  } catch {
    throw fail();
  }
  const lists = coordinates as unknown[][];
  if (type === 'Point') coordinates = lists[0];
  // MULTIPOINT ((1 2), (3 4)) is the standard's form, MULTIPOINT (1 2, 3 4) an old one.
  if (type === 'MultiPoint') coordinates = lists.map(point => (Array.isArray(point[0]) ? point[0] : point));
  return fromGeoJSON({ type, coordinates }, file, row);
}

/** Parts of parts that are followed: a surface holds polygons, these rings, and these pieces. */
const DEEPEST = 6;

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function vertices(xy: Float64Array, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(4 + 16 * (end - start));
  bytes.writeUInt32LE(end - start);
  for (let i = 2 * start; i < 2 * end; i++) bytes.writeDoubleLE(xy[i]!, 4 + 8 * (i - 2 * start));
  return bytes;
}

/** @throws RangeError when parts are nested too deep. */
function wkbOf(geometry: StoredGeometry, type: GeometryType, depth: number): Buffer {
  if (depth > DEEPEST) throw new RangeError('its curves are nested too deep');
  const xy = geometry.xyArray() ?? new Float64Array(0);
  const head = [Buffer.of(1), word(type)];
  if (type === GeometryType.LineString || type === GeometryType.CircularString)
    return Buffer.concat([...head, vertices(xy, 0, xy.length / 2)]);
  if (type === GeometryType.Polygon) {
    const ends = geometry.endsArray() ?? Uint32Array.of(xy.length / 2);
    const rings = Array.from(ends, (end, i) => vertices(xy, i === 0 ? 0 : ends[i - 1]!, end));
    return Buffer.concat([...head, word(rings.length), ...rings]);
  }
  const parts = Array.from({ length: geometry.partsLength() }, (_, i) => {
    const part = geometry.parts(i)!;
    return wkbOf(part, part.type(), depth + 1);
  });
  return Buffer.concat([...head, word(parts.length), ...parts]);
}

/**
 * The curved geometry of a FlatGeobuf feature as WKB, Z and M dropped; its codes of types are those of SQL/MM.
 * @param record the feature with its length before it. @param type of the geometry.
 */
export function curvesToWkb(record: Uint8Array, type: GeometryType): Uint8Array {
  const geometry = Feature.getSizePrefixedRootAsFeature(new ByteBuffer(record)).geometry();
  if (!geometry) throw new RangeError('it has no geometry');
  return wkbOf(geometry, type, 0);
}
