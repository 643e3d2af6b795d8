import { type Position, type Ring, round7 } from './format/feature.ts';

/**
 * Mouth of the Piscataqua, where the line between Maine and New Hampshire meets the sea (Census cartographic boundaries,
 * us-atlas 3): origin of the frame in which the area is laid out.
 */
export const MOUTH: Position = [-70.704, 43.0594];

/** Metres in a degree of longitude and latitude at 43.06° N (WGS84 series; Snyder 1987, p. 25). */
export const METRES: Position = [81_431, 111_093];

/** Ends of the area in metres: `along` the coast to north-east, `inland` of the mouth. Two counties meet at along 0. */
export const EXTENT = { west: -10_000, east: 10_000, sea: -2800, inland: 11_000 } as const;

/** Unit vector inland in metres east and north: the real state line runs up the river to 70.8189 W, 43.1230 N. */
const [EAST, NORTH] = (() => {
  const [x, y] = [(-70.8189 - MOUTH[0]) * METRES[0], (43.123 - MOUTH[1]) * METRES[1]];
  return [x / Math.hypot(x, y), y / Math.hypot(x, y)] as const;
})();

/** lng,lat to metres along the coast and inland. A rotation: straight lines stay straight, rings keep their sense. */
export function toFrame([lng, lat]: Position): Position {
  const [x, y] = [(lng - MOUTH[0]) * METRES[0], (lat - MOUTH[1]) * METRES[1]];
  return [x * NORTH - y * EAST, x * EAST + y * NORTH];
}

/** Metres along the coast and inland to lng,lat, not rounded. */
export function fromFrame([along, inland]: Position): Position {
  const [x, y] = [along * NORTH + inland * EAST, inland * NORTH - along * EAST];
  return [MOUTH[0] + x / METRES[0], MOUTH[1] + y / METRES[1]];
}

/** A place of the frame as a vertex: lng,lat rounded as every vertex is. */
export function vertex(along: number, inland: number): Position {
  const [lng, lat] = fromFrame([along, inland]);
  return [round7(lng), round7(lat)];
}

/** A rectangle of the frame as a closed ring, counter-clockwise. */
export function frameRectangle(west: number, sea: number, east: number, inland: number): Ring {
  const corner = vertex(west, sea);
  return [corner, vertex(east, sea), vertex(east, inland), vertex(west, inland), corner];
}

/** Box of the area in degrees. */
export const AREA_BOX = (() => {
  const { west, east, sea, inland } = EXTENT;
  const ring = frameRectangle(west, sea, east, inland);
  const [xs, ys] = [ring.map(p => p[0]), ring.map(p => p[1])];
  return { west: Math.min(...xs), south: Math.min(...ys), east: Math.max(...xs), north: Math.max(...ys) } as const;
})();

/** Planar distance in metres: the area is small. */
export function metresBetween(a: Position, b: Position): number {
  return Math.hypot((a[0] - b[0]) * METRES[0], (a[1] - b[1]) * METRES[1]);
}
