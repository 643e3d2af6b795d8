import type { Box, Geometry } from '../../../datasets/geometry.ts';
import { straightArea } from '../polygon-overlap.ts';

const ONE = Uint32Array.of(1);
/** Edges that the azimuth on the ellipsoid may differ by from the planar one. */
const SLACK = 3;

/**
 * Area on WGS84 that a polygon shares with a disc: each ring cut by the half-planes of those edges that reach its box
 * (Sutherland & Hodgman, "Reentrant polygon clipping", Communications of the ACM 17(1), 1974), which leaves the area
 * right where what remains falls into pieces. Edges are straight in lng,lat.
 * @param polygon valid, lng,lat degrees. @param box of it.
 * @param disc as discPolygon makes it, convex and clockwise from the north.
 * @returns square metres, within 1e-9 of it of what PolygonOverlap measures.
 */
export function discOverlap(polygon: Geometry, box: Box, disc: Geometry): number {
  const { xy: ring } = disc;
  const turn = Math.round((ring[0]! - box[0]) / 360) * 360;
  const [west, south, east, north] = [box[0] + turn, box[1], box[2] + turn, box[3]];
  const cutting: number[] = [];
  let [deepest, most] = [0, 0];
  const count = ring.length / 2 - 1;
  // The disc's corners stand at equal azimuths, the first in the north, so that a direction tells the edge before it.
  const [lng, lat] = [ring[0]!, (ring[1]! + ring[count + 1]!) / 2];
  const wide = (ring[1]! - lat) / (ring[count / 2]! - lng);
  const seen = new Set<number>();
  const beyond = (edge: number, x: number, y: number) => {
    const i = 2 * edge;
    return (ring[i + 2]! - ring[i]!) * (y - ring[i + 1]!) - (ring[i + 3]! - ring[i + 1]!) * (x - ring[i]!);
  };
  for (const x of [west, east])
    for (const y of [south, north]) {
      const turns = Math.atan2((x - lng) * wide, y - lat) / (2 * Math.PI);
      const facing = (Math.floor(turns * count) + count) % count;
      // The edges that a place outside sees follow one another about the one that faces it.
      for (const step of [1, count - 1])
        for (let n = 0, edge = facing; n < count; n++, edge = (edge + step) % count) {
          const depth = beyond(edge, x, y);
          if (depth <= 0 && n > SLACK) break;
          if (depth <= 0 || seen.has(edge)) continue;
          seen.add(edge);
          if (depth > most) [deepest, most] = [cutting.length, depth];
          cutting.push(2 * edge);
        }
    }
  // The edge that cuts deepest leaves little to the others.
  if (deepest > 0) [cutting[0], cutting[deepest]] = [cutting[deepest]!, cutting[0]!];
  if (!cutting.length) return straightArea(polygon);
  const { xy, ends, parts } = polygon;
  let total = 0;
  let first = 0;
  for (const lastRing of parts)
    for (let sign = 1; first < lastRing; first++, sign = -1) {
      let points: number[] = [];
      for (let v = first === 0 ? 0 : ends[first - 1]!; v < ends[first]! - 1; v++)
        points.push(xy[2 * v]! + turn, xy[2 * v + 1]!);
      for (const i of cutting) {
        points = cut(points, ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!);
        if (!points.length) break;
      }
      if (points.length < 6) continue;
      points.push(points[0]!, points[1]!);
      const rest = { xy: Float64Array.from(points), ends: Uint32Array.of(points.length / 2), parts: ONE };
      total += sign * straightArea({ type: 'Polygon', ...rest });
    }
  return Math.max(0, total);
}

/** What of a ring, without its closing vertex, is not to the left of a line from a to b. */
function cut(points: number[], ax: number, ay: number, bx: number, by: number): number[] {
  const [dx, dy] = [bx - ax, by - ay];
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    const side = dx * (points[i + 1]! - ay) - dy * (points[i]! - ax);
    if (side < least) least = side;
    if (side > most) most = side;
  }
  if (most <= 0) return points;
  if (least > 0) return [];
  const out: number[] = [];
  let x1 = points[points.length - 2]!;
  let y1 = points[points.length - 1]!;
  let before = dx * (y1 - ay) - dy * (x1 - ax);
  for (let i = 0; i < points.length; i += 2) {
    const x2 = points[i]!;
    const y2 = points[i + 1]!;
    const after = dx * (y2 - ay) - dy * (x2 - ax);
    if ((before > 0 && after < 0) || (before < 0 && after > 0)) {
      const t = before / (before - after);
      out.push(x1 + t * (x2 - x1), y1 + t * (y2 - y1));
    }
    if (after <= 0) out.push(x2, y2);
    x1 = x2;
    y1 = y2;
    before = after;
  }
  return out;
}
