import type { Geometry } from '../../../datasets/geometry.ts';

/** What lies this near is met: degrees. A site's faults are found on coordinates of seven decimals. */
const NEAR = 2e-7;
/** Most positions and edges that are named. */
const MOST = 3;

/** Distance from a point to a segment, planar. */
function apart(x: number, y: number, x0: number, y0: number, x1: number, y1: number): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const along = ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1);
  const at = Math.min(1, Math.max(0, along));
  return Math.hypot(x - x0 - at * dx, y - y0 - at * dy);
}

/** The numbers of a position in its GeoJSON, from 0. The part is left out where there is but one. */
export function positionNamed({ parts, ends }: Geometry, vertex: number): string {
  const ring = ends.findIndex(end => vertex < end);
  const part = parts.findIndex(end => ring < end);
  const [firstRing, first] = [part === 0 ? 0 : parts[part - 1]!, ring === 0 ? 0 : ends[ring - 1]!];
  const of = parts.length > 1 ? `part ${part}, ` : '';
  return `${of}ring ${ring - firstRing}, position ${vertex - first}`;
}

/**
 * Names the positions of an area at a point, and the edges through it by the positions where they begin, so that a fault
 * is told without repeating a coordinate.
 * @param area polygons as they were sent.
 * @returns the nearest ones, in the order in which they were sent; empty where nothing is there.
 */
export function placesAt(area: Geometry, x: number, y: number): string[] {
  const { xy, ends } = area;
  const found: { readonly vertex: number; readonly degrees: number; readonly isEdge: boolean }[] = [];
  let first = 0;
  for (const end of ends) {
    for (let v = first; v < end - 1; v++) {
      const [x0, y0, x1, y1] = [xy[2 * v]!, xy[2 * v + 1]!, xy[2 * v + 2]!, xy[2 * v + 3]!];
      const from = Math.hypot(x - x0, y - y0);
      if (from <= NEAR) found.push({ vertex: v, degrees: from, isEdge: false });
      else if (Math.hypot(x - x1, y - y1) > NEAR) {
        const degrees = apart(x, y, x0, y0, x1, y1);
        if (degrees <= NEAR) found.push({ vertex: v, degrees, isEdge: true });
      }
    }
    first = end;
  }
  return found
    .sort((a, b) => a.degrees - b.degrees)
    .slice(0, MOST)
    .sort((a, b) => a.vertex - b.vertex)
    .map(({ vertex, isEdge }) => `${isEdge ? 'the edge from ' : ''}${positionNamed(area, vertex)}`);
}
