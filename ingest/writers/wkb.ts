import type { Geometry } from '../../datasets/geometry.ts';

/** Geometry codes of OGC 06-103r4 (Simple Feature Access), 8.2. */
const CODES: Readonly<Record<Geometry['type'], number>> = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiPoint: 4,
  MultiLineString: 5,
  MultiPolygon: 6,
};

/** A head (byte order and code) takes 5 bytes, a count 4, a vertex 16. */
function sizeOf({ type, xy, ends, parts }: Geometry): number {
  const coordinates = xy.length * 8;
  switch (type) {
    case 'Point':
      return 5 + coordinates;
    case 'LineString':
      return 9 + coordinates;
    case 'Polygon':
      return 9 + ends.length * 4 + coordinates;
    case 'MultiPoint':
      return 9 + (xy.length / 2) * 5 + coordinates;
    case 'MultiLineString':
      return 9 + ends.length * 9 + coordinates;
    case 'MultiPolygon':
      return 9 + parts.length * 9 + ends.length * 4 + coordinates;
  }
}

/**
 * Little-endian well-known binary (OGC 06-103r4, 8.2) of a geometry.
 * @param geometry not empty; coordinates are copied as they are.
 */
export function encodeWkb(geometry: Geometry): Uint8Array {
  const { type, xy, ends, parts } = geometry;
  const vertices = xy.length / 2;
  const bytes = new Uint8Array(sizeOf(geometry));
  const view = new DataView(bytes.buffer);
  let at = 0;
  const count = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const head = (code: number) => {
    view.setUint8(at++, 1);
    count(code);
  };
  const coordinates = (start: number, end: number) => {
    for (let i = start * 2; i < end * 2; i++, at += 8) view.setFloat64(at, xy[i]!, true);
  };
  const list = (index: number) => {
    const start = index ? ends[index - 1]! : 0;
    count(ends[index]! - start);
    coordinates(start, ends[index]!);
  };
  const polygon = (first: number, end: number) => {
    count(end - first);
    for (let ring = first; ring < end; ring++) list(ring);
  };
  head(CODES[type]);
  switch (type) {
    case 'Point':
      coordinates(0, 1);
      break;
    case 'LineString':
      list(0);
      break;
    case 'Polygon':
      polygon(0, ends.length);
      break;
    case 'MultiPoint':
      count(vertices);
      for (let i = 0; i < vertices; i++) {
        head(CODES.Point);
        coordinates(i, i + 1);
      }
      break;
    case 'MultiLineString':
      count(ends.length);
      for (let i = 0; i < ends.length; i++) {
        head(CODES.LineString);
        list(i);
      }
      break;
    case 'MultiPolygon':
      count(parts.length);
      for (let i = 0; i < parts.length; i++) {
        head(CODES.Polygon);
        polygon(i ? parts[i - 1]! : 0, parts[i]!);
      }
  }
  return bytes;
}
