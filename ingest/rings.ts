import type { Geometry } from '../datasets/geometry.ts';
import { BoxIndex } from '../query/format/box-index.ts';
import { chainsOf } from '../query/geometry/edge-chains.ts';
import { BOUNDARY, INSIDE, placeInRing } from '../query/geometry/point-in-polygon.ts';

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

/** Tests of one ring against another, at most; a contour map has a hundredth of them. */
const MOST_TESTS = 20_000_000;

/** Finds the rings around rings by where their boxes lie: comparing all takes hours where a row has 200,000. */
class Containment {
  readonly #geometry: Geometry;
  readonly #rings: readonly Ring[];
  readonly #index: BoxIndex;
  #tests = 0;

  constructor(geometry: Geometry, rings: readonly Ring[]) {
    this.#geometry = geometry;
    this.#rings = rings;
    this.#index = new BoxIndex(rings.map(({ minX, minY, maxX, maxY }) => [minX, minY, maxX, maxY]));
  }

  /** Whether there were so many tests that no more are made: the rings lie in each other by the thousand. */
  get isOver(): boolean {
    return this.#tests > MOST_TESTS;
  }

  /** Whether `outer` contains `inner`. The rings may touch but not cross. */
  #contains(outer: number, inner: Ring): boolean {
    const { xy } = this.#geometry;
    const chains = chainsOf(this.#geometry);
    for (let i = inner.start; i < inner.end; i++) {
      const place = placeInRing(xy, chains, outer, xy[2 * i]!, xy[2 * i + 1]!);
      if (place !== BOUNDARY) return place === INSIDE;
    }
    for (let i = inner.start; i + 1 < inner.end; i++) {
      const x = (xy[2 * i]! + xy[2 * i + 2]!) / 2;
      const y = (xy[2 * i + 1]! + xy[2 * i + 3]!) / 2;
      const place = placeInRing(xy, chains, outer, x, y);
      if (place !== BOUNDARY) return place === INSIDE;
    }
    return true;
  }

  /** Returns the index of the smallest ring that contains `ring`, of those that `mayContain`; -1 when none does. */
  containerOf(ring: number, mayContain: (outer: number) => boolean): number {
    if (this.isOver) return -1;
    const rings = this.#rings;
    const inner = rings[ring]!;
    const { minX, minY, maxX, maxY } = inner;
    const met = this.#index.meeting([[minX, minY, maxX, maxY]]);
    this.#tests += met.length;
    const size = (i: number) => Math.abs(rings[i]!.area);
    return (
      met
        .filter(o => {
          const outer = rings[o]!;
          const isAround = outer.minX <= minX && outer.maxX >= maxX && outer.minY <= minY && outer.maxY >= maxY;
          return o !== ring && isAround && size(o) >= size(ring) && mayContain(o);
        })
        .sort((a, b) => size(a) - size(b) || a - b)
        .find(o => this.#contains(o, inner)) ?? -1
    );
  }
}

/** Returns the shell of each ring by containment: rings at an even depth are shells (-1), others holes of their container. */
function byDepth(rings: readonly Ring[], containment: Containment): number[] {
  const order = rings.map((_, i) => i).sort((a, b) => Math.abs(rings[b]!.area) - Math.abs(rings[a]!.area));
  const rank = new Uint32Array(rings.length);
  for (const [k, ring] of order.entries()) rank[ring] = k;
  const depth = new Array<number>(rings.length).fill(0);
  const shell = new Array<number>(rings.length).fill(-1);
  for (const ring of order) {
    const container = containment.containerOf(ring, outer => rank[outer]! < rank[ring]!);
    if (container < 0) continue;
    depth[ring] = depth[container]! + 1;
    if (depth[ring]! % 2 === 1) shell[ring] = container;
  }
  return shell;
}

/** Returns the shell of each ring by direction (clockwise rings are shells); null when containment contradicts the direction. */
function byDirection(rings: readonly Ring[], containment: Containment): number[] | null {
  const isShell = (i: number) => rings[i]!.area <= 0;
  const shell = new Array<number>(rings.length).fill(-1);
  const hasHoles = rings.some((_, i) => !isShell(i));
  for (let i = 0; i < rings.length; i++) {
    if (hasHoles && isShell(i)) continue;
    const container = containment.containerOf(i, isShell);
    // Where there is no hole, a shell inside a shell can only be a hole in the wrong direction.
    if (hasHoles ? container < 0 : container >= 0) return null;
    shell[i] = container;
  }
  return shell;
}

/**
 * Builds a polygon from loose rings, the form of an ESRI shapefile. Clockwise rings are shells; others are holes of the smallest
 * shell around them. If containment contradicts the direction, containment decides. Where too many rings lie in each other to
 * tell, each is a part, which is no valid polygon, so that the ingest sets it aside. Coordinates and ring directions stay
 * unchanged; the order of rings may change.
 * @param xy x,y pairs in any planar units. @param ends exclusive end of each ring, in vertices.
 * @returns Polygon, or MultiPolygon when there are several shells.
 */
export function polygonOfRings(xy: Float64Array, ends: Uint32Array): Geometry {
  if (ends.length <= 1) return { type: 'Polygon', xy, ends, parts: Uint32Array.of(ends.length) };
  const rings: Ring[] = [];
  for (let i = 0; i < ends.length; i++) rings.push(ringAt(xy, i === 0 ? 0 : ends[i - 1]!, ends[i]!));
  const containment = new Containment({ type: 'Polygon', xy, ends, parts: Uint32Array.of(ends.length) }, rings);
  const told = byDirection(rings, containment) ?? byDepth(rings, containment);
  const shell = containment.isOver ? told.fill(-1) : told;
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
