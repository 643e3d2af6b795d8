import type { Geometry } from '../../datasets/geometry.ts';
import { ringsOf } from '../../query/geos.ts';

const POLYGON = 3;
const MULTIPOLYGON = 6;

/** Little-endian WKB (OGC 06-103r4, 8.2) of a polygon or multipolygon in hexadecimal digits, as PostGIS reads it. */
export function toWkbHex(geometry: Geometry): string {
  const polygons = ringsOf(geometry);
  const size = polygons.reduce((sum, rings) => sum + 9 + rings.reduce((s, ring) => s + 4 + ring.byteLength, 0), 9);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  const head = (type: number, count: number) => {
    at = bytes.writeUInt8(1, at);
    at = bytes.writeUInt32LE(type, at);
    at = bytes.writeUInt32LE(count, at);
  };
  if (geometry.type === 'MultiPolygon') head(MULTIPOLYGON, polygons.length);
  for (const rings of polygons) {
    head(POLYGON, rings.length);
    for (const ring of rings) {
      at = bytes.writeUInt32LE(ring.length / 2, at);
      for (const value of ring) at = bytes.writeDoubleLE(value, at);
    }
  }
  return bytes.toString('hex', 0, at);
}
