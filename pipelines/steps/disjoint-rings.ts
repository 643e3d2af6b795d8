import { orient2d } from 'robust-predicates';
import type { Geometry } from '../../datasets/geometry.ts';

/** Children of a node in the tree of boxes over consecutive edges. */
const FAN = 8;
/** Above this number of rings, pairwise tests are slower than the index of GEOS. */
const MOST_RINGS = 64;
/** Pairs of boxes that a proof may look at: of edges that all lie side by side there are as many as the square of their number. */
const MOST_PAIRS = 20_000_000;
/** Sign of orient2d for points that turn left. */
const LEFT = Math.sign(orient2d(0, 0, 1, 0, 0, 1));

/** Arrays for the edges of the current polygon, reused for the next: first vertex, next edge of the ring, boxes by level. */
let first = new Uint32Array(1024);
let next = new Uint32Array(1024);
let boxes = new Float64Array(8192);
/** Where each level begins in `boxes`, in nodes, and how many nodes it has; level 0 are the edges. */
const starts: number[] = [];
const counts: number[] = [];
let xy: Float64Array = new Float64Array(0);
/** Pairs of boxes that may still be looked at. */
let pairsLeft = 0;

function reserve(edges: number): void {
  if (edges <= first.length) return;
  first = new Uint32Array(2 * edges);
  next = new Uint32Array(2 * edges);
  boxes = new Float64Array(16 * edges);
}

/** Fills the edges. @returns their number; -1 when a ring is open, too short or repeats a vertex, or an edge runs back. */
function gather(ends: Uint32Array): number {
  let count = 0;
  let start = 0;
  for (const end of ends) {
    const edges = end - start - 1;
    if (edges < 3 || xy[2 * start] !== xy[2 * end - 2] || xy[2 * start + 1] !== xy[2 * end - 1]) return -1;
    const ring = count;
    let ax = xy[2 * end - 4]!;
    let ay = xy[2 * end - 3]!;
    for (let v = start; v < end - 1; v++) {
      const bx = xy[2 * v]!;
      const by = xy[2 * v + 1]!;
      const cx = xy[2 * v + 2]!;
      const cy = xy[2 * v + 3]!;
      if (bx === cx && by === cy) return -1;
      // A straight continuation is allowed; an edge that turns back on the same line covers it twice.
      if (
        orient2d(ax, ay, bx, by, cx, cy) === 0 &&
        (Math.sign(bx - ax) !== Math.sign(cx - bx) || Math.sign(by - ay) !== Math.sign(cy - by))
      )
        return -1;
      const at = 4 * count;
      boxes[at] = bx < cx ? bx : cx;
      boxes[at + 1] = by < cy ? by : cy;
      boxes[at + 2] = bx < cx ? cx : bx;
      boxes[at + 3] = by < cy ? cy : by;
      first[count] = 2 * v;
      next[count] = count + 1;
      count++;
      ax = bx;
      ay = by;
    }
    next[count - 1] = ring;
    start = end;
  }
  return count;
}

/** Builds the upper levels of boxes. @returns the level of the root. */
function stack(edges: number): number {
  starts[0] = 0;
  counts[0] = edges;
  let level = 0;
  while (counts[level]! > 1) {
    const from = starts[level]!;
    const count = counts[level]!;
    const to = from + count;
    const parents = Math.ceil(count / FAN);
    for (let p = 0; p < parents; p++) {
      let minX = Infinity;
      let minY = Infinity;
      let maxX = -Infinity;
      let maxY = -Infinity;
      for (let i = from + p * FAN; i < Math.min(from + (p + 1) * FAN, to); i++) {
        if (boxes[4 * i]! < minX) minX = boxes[4 * i]!;
        if (boxes[4 * i + 1]! < minY) minY = boxes[4 * i + 1]!;
        if (boxes[4 * i + 2]! > maxX) maxX = boxes[4 * i + 2]!;
        if (boxes[4 * i + 3]! > maxY) maxY = boxes[4 * i + 3]!;
      }
      const at = 4 * (to + p);
      boxes[at] = minX;
      boxes[at + 1] = minY;
      boxes[at + 2] = maxX;
      boxes[at + 3] = maxY;
    }
    level++;
    starts[level] = to;
    counts[level] = parents;
  }
  return level;
}

function apart(a: number, b: number): boolean {
  const i = 4 * a;
  const j = 4 * b;
  return (
    boxes[i]! > boxes[j + 2]! ||
    boxes[j]! > boxes[i + 2]! ||
    boxes[i + 1]! > boxes[j + 3]! ||
    boxes[j + 1]! > boxes[i + 3]!
  );
}

/** Whether two edges that are not neighbours certainly share no point, because one lies strictly beside the other. */
function clear(s: number, t: number): boolean {
  if (next[s] === t || next[t] === s) return true;
  const i = first[s]!;
  const j = first[t]!;
  const ax = xy[i]!;
  const ay = xy[i + 1]!;
  const bx = xy[i + 2]!;
  const by = xy[i + 3]!;
  const cx = xy[j]!;
  const cy = xy[j + 1]!;
  const dx = xy[j + 2]!;
  const dy = xy[j + 3]!;
  const c = orient2d(ax, ay, bx, by, cx, cy);
  const d = orient2d(ax, ay, bx, by, dx, dy);
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return true;
  const a = orient2d(cx, cy, dx, dy, ax, ay);
  const b = orient2d(cx, cy, dx, dy, bx, by);
  return (a > 0 && b > 0) || (a < 0 && b < 0);
}

/** Whether all edges below two nodes of a level are clear of each other; those of one node with themselves. */
function allClear(level: number, a: number, b: number): boolean {
  if (level === 0) return clear(a, b);
  const below = starts[level - 1]!;
  const end = counts[level - 1]!;
  const lastA = Math.min((a + 1) * FAN, end);
  const lastB = Math.min((b + 1) * FAN, end);
  for (let i = a * FAN; i < lastA; i++) {
    if (a === b && level > 1 && !allClear(level - 1, i, i)) return false;
    pairsLeft -= FAN;
    if (pairsLeft < 0) return false;
    for (let j = a === b ? i + 1 : b * FAN; j < lastB; j++)
      if (!apart(below + i, below + j) && !allClear(level - 1, i, j)) return false;
  }
  return true;
}

/** Whether a vertex lies inside a ring that it is not on. */
function inside(x: number, y: number, start: number, end: number): boolean {
  let odd = false;
  for (let v = start; v < end - 1; v++) {
    const ay = xy[2 * v + 1]!;
    const by = xy[2 * v + 3]!;
    if (ay > y === by > y) continue;
    const left = orient2d(xy[2 * v]!, ay, xy[2 * v + 2]!, by, x, y) * LEFT > 0;
    if (left === by > ay) odd = !odd;
  }
  return odd;
}

/** Whether rings without common points are nested as in a valid polygon: holes in their shells, nothing else in their areas. */
function nested(ends: Uint32Array, parts: Uint32Array): boolean {
  const startOf = (ring: number) => (ring === 0 ? 0 : ends[ring - 1]!);
  const within = (ring: number, outer: number) =>
    inside(xy[2 * startOf(ring)]!, xy[2 * startOf(ring) + 1]!, startOf(outer), ends[outer]!);
  let shell = 0;
  for (const end of parts) {
    for (let hole = shell + 1; hole < end; hole++) {
      if (!within(hole, shell)) return false;
      for (let other = shell + 1; other < end; other++) if (other !== hole && within(hole, other)) return false;
    }
    // A part may lie in a hole of another part, but not in its area.
    let otherShell = 0;
    for (const otherEnd of parts) {
      if (otherShell !== shell && within(shell, otherShell)) {
        let held = false;
        for (let hole = otherShell + 1; hole < otherEnd && !held; hole++) held = within(shell, hole);
        if (!held) return false;
      }
      otherShell = otherEnd;
    }
    shell = end;
  }
  return true;
}

/**
 * Proves that a polygon or multipolygon is valid (OGC 06-103r4, 6.1.11) in simple cases: every ring is closed, no two edges share
 * a point except neighbours their vertex, holes lie inside their shells and not in each other, and parts not in each other's
 * area. All tests are exact (Shewchuk's adaptive predicates), so every correct validator agrees with a proof.
 * @param geometry any planar coordinates, all finite.
 * @returns false if there is no proof, because rings touch, repeat a vertex, or are many, or edges lie in each other's way. GEOS must decide then.
 */
export function provesValid(geometry: Geometry): boolean {
  const { ends, parts } = geometry;
  if (ends.length > MOST_RINGS || ends.length === 0) return false;
  xy = geometry.xy;
  reserve(xy.length / 2);
  pairsLeft = MOST_PAIRS;
  const edges = gather(ends);
  if (edges < 0) return false;
  return allClear(stack(edges), 0, 0) && (ends.length === 1 || nested(ends, parts));
}
