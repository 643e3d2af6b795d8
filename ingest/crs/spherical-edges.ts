import type { Geometry } from '../../datasets/geometry.ts';
import { UnreadGeometry } from '../unread.ts';

/** Metres by which a straight edge may leave the great circle that it stands for. */
const DEPARTURE_M = 0.05;
const METRES_PER_DEGREE = 111_320;
const RADIANS = Math.PI / 180;

/** The midpoint of the great circle between two points, lng,lat; null between opposite ends of the earth. */
function midpointOf(x1: number, y1: number, x2: number, y2: number): readonly [number, number] | null {
  const vector = (x: number, y: number) => [
    Math.cos(y * RADIANS) * Math.cos(x * RADIANS),
    Math.cos(y * RADIANS) * Math.sin(x * RADIANS),
    Math.sin(y * RADIANS),
  ];
  const [a, b] = [vector(x1, y1), vector(x2, y2)];
  const [x, y, z] = [a[0]! + b[0]!, a[1]! + b[1]!, a[2]! + b[2]!];
  if (Math.hypot(x, y, z) < 1e-9) return null;
  return [Math.atan2(y, x) / RADIANS, Math.atan2(z, Math.hypot(x, y)) / RADIANS];
}

/** Adds the vertices between two that straight edges need to stay beside their great circle. */
function fill(x1: number, y1: number, x2: number, y2: number, into: number[]): void {
  const midpoint = midpointOf(x1, y1, x2, y2);
  if (!midpoint) return;
  const [x, y] = midpoint;
  // The shorter way, also over 180°.
  const straight = (x1 + x2 + 360 * Math.round((x1 - x2) / 360)) / 2;
  const east = x - straight - 360 * Math.round((x - straight) / 360);
  const metres = METRES_PER_DEGREE * Math.hypot(east * Math.cos(y * RADIANS), y - (y1 + y2) / 2);
  if (metres <= DEPARTURE_M) return;
  fill(x1, y1, x, y, into);
  into.push(x, y);
  fill(x, y, x2, y2, into);
}

/**
 * Returns a geometry whose edges are great circles (`edges` spherical of GeoParquet, GEOGRAPHY of Parquet, BigQuery) as one of straight
 * edges in degrees: vertices are added until none leaves its great circle by more than 5 cm. Vertices of the file stay as they are.
 * @throws UnreadGeometry for coordinates that are no degrees.
 */
export function withStraightEdges(geometry: Geometry, file: string, row: number): Geometry {
  const { type, xy, ends } = geometry;
  if (type === 'Point' || type === 'MultiPoint') return geometry;
  if (xy.some((value, i) => !(Math.abs(value) <= (i % 2 ? 90 : 180))))
    throw new UnreadGeometry(file, row, 'its edges are said to be great circles, but its coordinates are no degrees');
  const filled: number[] = [];
  let start = 0;
  const newEnds = ends.map(end => {
    for (let v = start; v < end; v++) {
      if (v > start) fill(xy[2 * v - 2]!, xy[2 * v - 1]!, xy[2 * v]!, xy[2 * v + 1]!, filled);
      filled.push(xy[2 * v]!, xy[2 * v + 1]!);
    }
    start = end;
    return filled.length / 2;
  });
  return { ...geometry, xy: Float64Array.from(filled), ends: newEnds };
}
