import type { Box, Geometry } from '../../datasets/geometry.ts';
import { chainsOf } from './edge-chains.ts';

/**
 * Whether a line or the boundary of a polygon may pass through a box. Never misses one that does; it may also say so of an
 * edge that only comes near a corner, by the width of rounding.
 * @param geometry,box both lng,lat degrees; nothing is turned across ±180.
 */
export function meets(geometry: Geometry, [minX, minY, maxX, maxY]: Box): boolean {
  const { xy } = geometry;
  const { first, last, boxes } = chainsOf(geometry);
  for (let chain = 0; chain < first.length; chain++) {
    const at = chain * 4;
    if (boxes[at]! > maxX || boxes[at + 1]! > maxY || boxes[at + 2]! < minX || boxes[at + 3]! < minY) continue;
    for (let v = first[chain]!; v < last[chain]!; v++) {
      const x1 = xy[2 * v]!;
      const y1 = xy[2 * v + 1]!;
      const x2 = xy[2 * v + 2]!;
      const y2 = xy[2 * v + 3]!;
      if (Math.min(x1, x2) > maxX || Math.max(x1, x2) < minX) continue;
      if (Math.min(y1, y2) > maxY || Math.max(y1, y2) < minY) continue;
      // The box lies on one side of the edge's line when all four corners do.
      const dx = x2 - x1;
      const dy = y2 - y1;
      const slack = 1e-12 * (Math.abs(dx) + Math.abs(dy) + 1e-9);
      const a = dx * (minY - y1) - dy * (minX - x1);
      const b = dx * (minY - y1) - dy * (maxX - x1);
      const c = dx * (maxY - y1) - dy * (minX - x1);
      const d = dx * (maxY - y1) - dy * (maxX - x1);
      if (Math.max(a, b, c, d) < -slack || Math.min(a, b, c, d) > slack) continue;
      return true;
    }
  }
  return false;
}
