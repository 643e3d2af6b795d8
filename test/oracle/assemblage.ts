import type { Geometry } from '../../datasets/geometry.ts';
import { intersects, metresToEdge } from './geometry.ts';

/** Metres from a place to the nearest corner of a geometry's box, in a plane: only to leave out what is far. */
const corners = ({ xy }: Geometry) =>
  Array.from({ length: xy.length / 2 }, (_, i) => [xy[2 * i]!, xy[2 * i + 1]!] as const);

/** Metres between two polygons: 0 where GEOS says that they meet, else the least over all corners of both to all edges. */
export function metresBetweenPolygons(a: Geometry, b: Geometry): number {
  if (intersects(a, b)) return 0;
  const from = (p: Geometry, q: Geometry) => Math.min(...corners(p).map(([x, y]) => metresToEdge(q, x, y, 3)));
  return Math.min(from(a, b), from(b, a));
}

/** Which of several polygons are reached from the first in steps of at most so many metres. */
export function reached(polygons: readonly Geometry[], metres: number): boolean[] {
  const seen = polygons.map((_, i) => i === 0);
  for (let grew = true; grew; ) {
    grew = false;
    for (const [i, a] of polygons.entries())
      for (const [j, b] of polygons.entries())
        if (seen[i] && !seen[j] && metresBetweenPolygons(a, b) <= metres) seen[j] = grew = true;
  }
  return seen;
}
