import { type Box, boxesMeet, type Geometry } from '../../datasets/geometry.ts';
import { memo } from '../../datasets/memo.ts';
import { boxOfChains, chainsOf } from './edge-chains.ts';
import { turningOf } from './ring-turning.ts';

/**
 * Edges of a polygon that another polygon has too, from the other side: the ground on both sides is in one of the two. Made once
 * for as long as both live.
 * @param of,beside valid polygons in lng,lat degrees; rings may run either way. Edges are shared where both ends are equal.
 * @returns 1 by the first vertex of such an edge; null where there is none.
 */
export const sharedEdges = (of: Geometry, beside: Geometry): Uint8Array | null => sharedOf(of)(beside);

const sharedOf = memo((of: Geometry) => memo((beside: Geometry) => shared(of, beside)));

function shared(of: Geometry, beside: Geometry): Uint8Array | null {
  const [a, b] = [boxOfChains(chainsOf(of)), boxOfChains(chainsOf(beside))];
  if (!boxesMeet(a, b)) return null;
  const sides = new Map<string, boolean>();
  forEdges(beside, a, (_, key, isLeft) => sides.set(key, isLeft));
  let found: Uint8Array | null = null;
  forEdges(of, b, (vertex, key, isLeft) => {
    if (sides.get(key) !== !isLeft) return;
    found ??= new Uint8Array(of.xy.length / 2);
    found[vertex] = 1;
  });
  return found;
}

/**
 * The edges of a polygon whose box meets another box.
 * @param visit gets the first vertex, what equal edges share whichever way they run, and whether the polygon is to the left of
 * the edge as it runs from its smaller end to its larger.
 */
function forEdges(
  { xy, ends, parts }: Geometry,
  [west, south, east, north]: Box,
  visit: (vertex: number, key: string, isLeft: boolean) => void,
): void {
  let [ring, start] = [0, 0];
  for (const lastRing of parts)
    for (const outer = ring; ring < lastRing; ring++) {
      const end = ends[ring]!;
      // To the left of a counter-clockwise ring is what it encloses: the polygon, or what a hole leaves out.
      const isLeft = turningOf(xy, start, end) > 0 === (ring === outer);
      for (let v = start; v < end - 1; v++) {
        const [x1, y1, x2, y2] = [xy[2 * v]!, xy[2 * v + 1]!, xy[2 * v + 2]!, xy[2 * v + 3]!];
        if ((x1 < west && x2 < west) || (x1 > east && x2 > east)) continue;
        if ((y1 < south && y2 < south) || (y1 > north && y2 > north)) continue;
        if (x1 < x2 || (x1 === x2 && y1 < y2)) visit(v, `${x1} ${y1} ${x2} ${y2}`, isLeft);
        else visit(v, `${x2} ${y2} ${x1} ${y1}`, !isLeft);
      }
      start = end;
    }
}
