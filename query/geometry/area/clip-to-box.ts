import type { Box, Geometry } from '../../../datasets/geometry.ts';
import { polygonsToGeometry, ringsOf } from '../geos.ts';

/** Cuts a closed ring at one side of a box: what lies beyond is replaced by a walk along the side. */
function cut(ring: readonly number[], axis: 0 | 1, at: number, sign: 1 | -1): number[] {
  const out: number[] = [];
  const inside = (i: number) => sign * (ring[i + axis]! - at) >= 0;
  for (let i = 0; i < ring.length; i += 2) {
    const last = i === 0 ? ring.length - 2 : i - 2;
    if (inside(i) !== inside(last)) {
      const share = (at - ring[last + axis]!) / (ring[i + axis]! - ring[last + axis]!);
      const other = ring[last + 1 - axis]! + share * (ring[i + 1 - axis]! - ring[last + 1 - axis]!);
      if (axis === 0) out.push(at, other);
      else out.push(other, at);
    }
    if (inside(i)) out.push(ring[i]!, ring[i + 1]!);
  }
  return out;
}

/**
 * The part of polygons that lies in a box (Sutherland & Hodgman 1974). Parts that the box cuts in two stay joined by
 * edges along its sides, each walked twice: right for what counts crossings or areas, such as PolygonOverlap, no valid
 * polygon for others.
 * @param geometry lng,lat degrees.
 * @returns null where nothing is left.
 */
export function clipToBox(geometry: Geometry, [west, south, east, north]: Box): Geometry | null {
  const polygons: Float64Array[][] = [];
  for (const rings of ringsOf(geometry)) {
    const kept: Float64Array[] = [];
    for (const [i, ring] of rings.entries()) {
      let open: number[] = Array.from(ring.subarray(0, ring.length - 2));
      open = cut(open, 0, west, 1);
      if (open.length) open = cut(open, 0, east, -1);
      if (open.length) open = cut(open, 1, south, 1);
      if (open.length) open = cut(open, 1, north, -1);
      if (open.length < 6) {
        if (i === 0) break;
        continue;
      }
      kept.push(Float64Array.from([...open, open[0]!, open[1]!]));
    }
    if (kept.length) polygons.push(kept);
  }
  return polygons.length ? polygonsToGeometry(polygons) : null;
}
