import type { Geometry } from '../datasets/geometry.ts';

/** One ring in a flat coordinate array: vertices `start` to `end` (exclusive). */
interface Ring {
  readonly start: number;
  readonly end: number;
  /** Twice the signed area in squared units, positive when counter-clockwise. */
  readonly area: number;
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

function ringAt(xy: Float64Array, start: number, end: number): Ring {
  let area = 0;
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  // Subtract the first vertex: projected coordinates are much larger than the ring, and the products would cancel.
  const x0 = xy[2 * start]!;
  const y0 = xy[2 * start + 1]!;
  let px = 0;
  let py = 0;
  for (let i = start; i < end; i++) {
    const x = xy[2 * i]!;
    const y = xy[2 * i + 1]!;
    area += px * (y - y0) - (x - x0) * py;
    px = x - x0;
    py = y - y0;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return { start, end, area, minX, minY, maxX, maxY };
}

/** Returns 1 if a point is inside a ring, -1 outside, 0 on the boundary. */
function locate(xy: Float64Array, ring: Ring, x: number, y: number): number {
  let inside = false;
  for (let i = ring.start; i + 1 < ring.end; i++) {
    const ax = xy[2 * i]!;
    const ay = xy[2 * i + 1]!;
    const bx = xy[2 * i + 2]!;
    const by = xy[2 * i + 3]!;
    if (ay > y !== by > y) {
      const side = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
      if (side === 0) return 0;
      if (side > 0 === by > ay) inside = !inside;
    } else if (ay === y && by === y && (ax - x) * (bx - x) <= 0) return 0;
    else if (ax === x && ay === y) return 0;
  }
  return inside ? 1 : -1;
}

/** Whether `outer` contains `inner`. The rings may touch but not cross. */
function contains(xy: Float64Array, outer: Ring, inner: Ring): boolean {
  if (inner.minX < outer.minX || inner.maxX > outer.maxX || inner.minY < outer.minY || inner.maxY > outer.maxY)
    return false;
  for (let i = inner.start; i < inner.end; i++) {
    const at = locate(xy, outer, xy[2 * i]!, xy[2 * i + 1]!);
    if (at !== 0) return at > 0;
  }
  for (let i = inner.start; i + 1 < inner.end; i++) {
    const x = (xy[2 * i]! + xy[2 * i + 2]!) / 2;
    const y = (xy[2 * i + 1]! + xy[2 * i + 3]!) / 2;
    const at = locate(xy, outer, x, y);
    if (at !== 0) return at > 0;
  }
  return true;
}

/** Returns the index of the smallest of `outers` that contains `ring`, -1 when none does. */
function containerOf(xy: Float64Array, rings: readonly Ring[], outers: readonly number[], ring: number): number {
  let best = -1;
  for (const o of outers) {
    if (o === ring || Math.abs(rings[o]!.area) < Math.abs(rings[ring]!.area)) continue;
    if (best >= 0 && Math.abs(rings[o]!.area) >= Math.abs(rings[best]!.area)) continue;
    if (contains(xy, rings[o]!, rings[ring]!)) best = o;
  }
  return best;
}

/** Returns the shell of each ring by containment: rings at an even depth are shells (-1), others holes of their container. */
function byDepth(xy: Float64Array, rings: readonly Ring[]): number[] {
  const order = rings.map((_, i) => i).sort((a, b) => Math.abs(rings[b]!.area) - Math.abs(rings[a]!.area));
  const depth = new Array<number>(rings.length).fill(0);
  const shell = new Array<number>(rings.length).fill(-1);
  for (let k = 1; k < order.length; k++) {
    const container = containerOf(xy, rings, order.slice(0, k), order[k]!);
    if (container < 0) continue;
    depth[order[k]!] = depth[container]! + 1;
    if (depth[order[k]!]! % 2 === 1) shell[order[k]!] = container;
  }
  return shell;
}

/** Returns the shell of each ring by direction (clockwise rings are shells); null when containment contradicts the direction. */
function byDirection(xy: Float64Array, rings: readonly Ring[]): number[] | null {
  const shells: number[] = [];
  for (let i = 0; i < rings.length; i++) if (rings[i]!.area <= 0) shells.push(i);
  const shell = new Array<number>(rings.length).fill(-1);
  if (shells.length === rings.length) {
    // There is no hole: a shell inside a shell can only be a hole in the wrong direction.
    for (const i of shells) if (containerOf(xy, rings, shells, i) >= 0) return null;
    return shell;
  }
  for (let i = 0; i < rings.length; i++) {
    if (rings[i]!.area <= 0) continue;
    shell[i] = containerOf(xy, rings, shells, i);
    if (shell[i]! < 0) return null;
  }
  return shell;
}

/**
 * Builds a polygon from loose rings, the form of an ESRI shapefile. Clockwise rings are shells; others are holes of the smallest
 * shell around them. If containment contradicts the direction, containment decides. Coordinates and ring directions stay
 * unchanged; the order of rings may change.
 * @param xy x,y pairs in any planar units. @param ends exclusive end of each ring, in vertices.
 * @returns Polygon, or MultiPolygon when there are several shells.
 */
export function polygonOfRings(xy: Float64Array, ends: Uint32Array): Geometry {
  if (ends.length <= 1) return { type: 'Polygon', xy, ends, parts: Uint32Array.of(ends.length) };
  const rings: Ring[] = [];
  for (let i = 0; i < ends.length; i++) rings.push(ringAt(xy, i === 0 ? 0 : ends[i - 1]!, ends[i]!));
  const shell = byDirection(xy, rings) ?? byDepth(xy, rings);
  const holes = new Map<number, number[]>();
  for (let i = 0; i < rings.length; i++) if (shell[i]! < 0) holes.set(i, []);
  for (let i = 0; i < rings.length; i++) if (shell[i]! >= 0) holes.get(shell[i]!)!.push(i);
  const order: number[] = [];
  const parts = new Uint32Array(holes.size);
  let part = 0;
  for (const [outer, inner] of holes) {
    order.push(outer, ...inner);
    parts[part++] = order.length;
  }
  const type = parts.length === 1 ? 'Polygon' : 'MultiPolygon';
  if (order.every((ring, i) => ring === i)) return { type, xy, ends, parts };
  const sorted = new Float64Array(xy.length);
  const sortedEnds = new Uint32Array(ends.length);
  let at = 0;
  order.forEach((index, i) => {
    const ring = rings[index]!;
    sorted.set(xy.subarray(2 * ring.start, 2 * ring.end), 2 * at);
    at += ring.end - ring.start;
    sortedEnds[i] = at;
  });
  return { type, xy: sorted, ends: sortedEnds, parts };
}
