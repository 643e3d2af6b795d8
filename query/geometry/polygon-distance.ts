import { boxesMeet, boxOf, type Geometry } from '../../datasets/geometry.ts';
import { distanceTo } from './feature-distance.ts';
import { PolygonOverlap } from './polygon-overlap.ts';

/** Metres from the nearest vertex of one geometry to the other; `best` is what there is to beat. */
function fromVertices(from: Geometry, to: Geometry, best: number): number {
  let least = best;
  for (let i = 0; i < from.xy.length && least > 0; i += 2)
    least = Math.min(least, distanceTo(to, from.xy[i]!, from.xy[i + 1]!, least));
  return least;
}

/**
 * Geodesic metres between two polygons, boundary to boundary: 0 where they touch or overlap. Of polygons that do not
 * cross, a vertex of one or the other is nearest.
 * @param limit metres; what is farther need not be measured.
 * @returns metres, or Infinity beyond the limit.
 */
export function polygonDistance(a: Geometry, b: Geometry, limit: number): number {
  // Just above the limit, so that what lies exactly at it is found.
  const reach = limit + 1e-6;
  const least = fromVertices(b, a, fromVertices(a, b, reach));
  const box = boxOf(a);
  if (least > 0 && boxesMeet(box, boxOf(b))) {
    const overlap = new PolygonOverlap(a, box);
    overlap.add(b);
    if (overlap.measure() > 0) return 0;
  }
  return least < reach ? least : Number.POSITIVE_INFINITY;
}
