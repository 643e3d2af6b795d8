import { distance } from '../geometry/geodesic.ts';
import { along, lengthOf } from '../geometry/polyline.ts';
import type { IndexedSegment } from './index/address-index.ts';

/** Junctions of the same two streets within this many metres are one: lanes of a divided road. */
const SAME_JUNCTION_M = 100;
/** Vertices agree in the same cell of 1e-6 degrees, about a decimetre, or in two that touch: no cell's border parts what is one. */
const cellOf = (degrees: number) => Math.round(degrees * 1e6);
const CELLS = [-1, 0, 1].flatMap(x => [-1, 0, 1].map(y => [x, y] as const));

/**
 * Where two streets meet: vertices that their lines share, so that a bridge over a road is no junction.
 * @returns lng,lat of each junction.
 */
export function junctions(first: readonly IndexedSegment[], second: readonly IndexedSegment[]): [number, number][] {
  const vertices = new Set<string>();
  for (const { xy } of first)
    for (let i = 0; i < xy.length; i += 2) vertices.add(`${cellOf(xy[i]!)},${cellOf(xy[i + 1]!)}`);
  const found: [number, number][] = [];
  for (const { xy } of second)
    for (let i = 0; i < xy.length; i += 2) {
      const [lng, lat] = [xy[i]!, xy[i + 1]!];
      const [x, y] = [cellOf(lng), cellOf(lat)];
      if (!CELLS.some(([dx, dy]) => vertices.has(`${x + dx},${y + dy}`))) continue;
      if (!found.some(f => distance(f[0], f[1], lng, lat) <= SAME_JUNCTION_M)) found.push([lng, lat]);
    }
  return found;
}

/**
 * The middle of a street: of its pieces laid end to end, the point on the piece nearest to their common centre.
 * @returns lng,lat; null without pieces.
 */
export function midpointOf(segments: readonly IndexedSegment[]): [number, number] | null {
  if (!segments.length) return null;
  let [lng, lat, total] = [0, 0, 0];
  const midpoints = segments.map(({ xy }) => along(xy, 0.5));
  for (const [i, { xy }] of segments.entries()) {
    const weight = lengthOf(xy) || 1e-9;
    lng += weight * midpoints[i]![0];
    lat += weight * midpoints[i]![1];
    total += weight;
  }
  let best = midpoints[0]!;
  for (const midpoint of midpoints)
    if (
      Math.hypot(midpoint[0] - lng / total, midpoint[1] - lat / total) <
      Math.hypot(best[0] - lng / total, best[1] - lat / total)
    )
      best = midpoint;
  return best;
}
