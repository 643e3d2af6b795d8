import type { Geometry, GeometryType } from '../../../datasets/geometry.ts';

const CODES: Readonly<Record<GeometryType, number>> = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiPoint: 4,
  MultiLineString: 5,
  MultiPolygon: 6,
};

/** Byte order, type and count. */
const HEAD_BYTES = 9;

/** A geometry as little-endian WKB (OGC 06-103r4, 8.2), coordinates as they are. */
export function toWkb({ type, xy, ends, parts }: Geometry): Uint8Array {
  const runs = ends.length;
  const bytes = new Uint8Array(xy.byteLength + HEAD_BYTES * (1 + xy.length / 2 + runs + parts.length));
  const view = new DataView(bytes.buffer);
  let length = 0;
  const count = (value: number) => {
    view.setUint32(length, value, true);
    length += 4;
  };
  const head = (of: GeometryType) => {
    bytes[length++] = 1;
    count(CODES[of]);
  };
  const positions = (from: number, to: number) => {
    for (let i = 2 * from; i < 2 * to; i++, length += 8) view.setFloat64(length, xy[i]!, true);
  };
  const run = (index: number) => {
    const from = index === 0 ? 0 : ends[index - 1]!;
    count(ends[index]! - from);
    positions(from, ends[index]!);
  };
  const polygon = (index: number) => {
    const from = index === 0 ? 0 : parts[index - 1]!;
    count(parts[index]! - from);
    for (let ring = from; ring < parts[index]!; ring++) run(ring);
  };
  /** The members of a collection, each with a head of its own. */
  const members = (of: GeometryType, number: number, write: (index: number) => void) => {
    count(number);
    for (let i = 0; i < number; i++) {
      head(of);
      write(i);
    }
  };
  head(type);
  if (type === 'Point') positions(0, 1);
  else if (type === 'MultiPoint') members('Point', xy.length / 2, i => positions(i, i + 1));
  else if (type === 'LineString') run(0);
  else if (type === 'MultiLineString') members('LineString', runs, run);
  else if (type === 'Polygon') polygon(0);
  else members('Polygon', parts.length, polygon);
  return bytes.subarray(0, length);
}
