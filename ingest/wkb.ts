import type { Geometry } from '../datasets/geometry.ts';
import { decodeWkb as decode, WkbError } from '../query/geometry/wkb.ts';
import { fromGeoJSON } from './geojson.ts';
import { ReadError } from './reader.ts';
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
const HEX = /^(00|01)[0-9a-f]{8,}$/i;

/**
 * Reads a cell of a table as geometry: WKT, also with `SRID=n;`, or WKB in hexadecimal digits. Z and M are dropped.
 * @param file @param row named in errors. @throws ReadError file_corrupt when it is neither; UnreadGeometry for a mixed collection.
 */
export function geometryOfText(text: string, file: string, row: number | null): Geometry | null {
  if (HEX.test(text)) return decodeWkb(Buffer.from(text, 'hex'), file, row);
  const head = HEAD.exec(text);
  const type = TYPES[head?.[1]?.toUpperCase() ?? ''];
  const fail = () =>
    new ReadError('file_corrupt', file, row, `"${text.slice(0, 40)}" is neither WKT nor WKB in hexadecimal digits`);
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
