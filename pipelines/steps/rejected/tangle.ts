import { orient2d } from 'robust-predicates';
import type { Geometry } from '../../../datasets/geometry.ts';

/** Pairs of edges that are compared, at most. Of a million vertices drawn as on any map, each edge lies near some ten others. */
const MOST_PAIRS = 50_000_000;
/** Crossings up to which MakeValid of GEOS is asked: what it takes grows with their square, to seconds. */
const MOST_CROSSINGS = 2_000;
/** Crossings up to which it takes no time worth saving. */
const FEW_CROSSINGS = 200;
/** Boxes of a cell that are compared pair by pair, rather than told apart by where they lie. */
const FEW = 16;
/** Boxes of which the median stands for that of all. */
const SAMPLE = 64;

interface Halves {
  readonly axis: 0 | 1;
  readonly at: number;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/** Counts pairs of boxes that lie in each other's way, and of those pairs the ones that cross, until there are too many. */
class Tangle {
  pairs = 0;
  crossings = 0;
  /** minX, minY, maxX, maxY of each. */
  readonly #boxes: Float64Array;
  readonly #cross: (a: number, b: number) => boolean;

  constructor(boxes: Float64Array, cross: (a: number, b: number) => boolean) {
    this.#boxes = boxes;
    this.#cross = cross;
    this.#cell(
      Uint32Array.from({ length: boxes.length / 4 }, (_, i) => i),
      -Infinity,
      -Infinity,
      Infinity,
      Infinity,
    );
  }

  get isOver(): boolean {
    return this.pairs > MOST_PAIRS || this.crossings > MOST_CROSSINGS;
  }

  /** Boxes of a list that reach below some middle of them, and those that reach above; null where that tells few apart. */
  #halves(list: Uint32Array, axis: 0 | 1): Halves | null {
    const boxes = this.#boxes;
    const step = Math.ceil(list.length / SAMPLE);
    const middles: number[] = [];
    for (let i = 0; i < list.length; i += step) {
      const at = 4 * list[i]! + axis;
      middles.push((boxes[at]! + boxes[at + 2]!) / 2);
    }
    const at = middles.sort((a, b) => a - b)[middles.length >> 1]!;
    const low = list.filter(i => boxes[4 * i + axis]! < at);
    const high = list.filter(i => boxes[4 * i + axis + 2]! >= at);
    const isTold =
      Math.max(low.length, high.length) < 0.9 * list.length && low.length + high.length < 1.5 * list.length;
    return isTold ? { axis, at, low, high } : null;
  }

  /** Boxes that meet a cell: told apart along the axis on which fewer lie in both halves. */
  #cell(list: Uint32Array, minX: number, minY: number, maxX: number, maxY: number): void {
    if (this.isOver) return;
    if (list.length > FEW) {
      const [x, y] = [this.#halves(list, 0), this.#halves(list, 1)];
      const both = (halves: Halves | null) => (halves ? halves.low.length + halves.high.length : Infinity);
      const halves = both(x) <= both(y) ? x : y;
      if (halves) {
        const { axis, at, low, high } = halves;
        this.#cell(low, minX, minY, axis === 0 ? at : maxX, axis === 1 ? at : maxY);
        this.#cell(high, axis === 0 ? at : minX, axis === 1 ? at : minY, maxX, maxY);
        return;
      }
    }
    const boxes = this.#boxes;
    for (let i = 0; i < list.length; i++) {
      this.pairs += list.length - i - 1;
      if (this.isOver) return;
      const a = 4 * list[i]!;
      for (let j = i + 1; j < list.length; j++) {
        const b = 4 * list[j]!;
        const x = Math.max(boxes[a]!, boxes[b]!);
        const y = Math.max(boxes[a + 1]!, boxes[b + 1]!);
        if (x > boxes[a + 2]! || x > boxes[b + 2]! || y > boxes[a + 3]! || y > boxes[b + 3]!) continue;
        // Of the cells in which both lie, the one in which their boxes begin to meet.
        if (x >= minX && x < maxX && y >= minY && y < maxY && this.#cross(list[i]!, list[j]!)) this.crossings++;
      }
    }
  }
}

function ofEdges({ xy, ends }: Geometry): Tangle {
  const boxes = new Float64Array(2 * xy.length);
  const first = new Uint32Array(xy.length / 2);
  let [count, start] = [0, 0];
  for (const end of ends) {
    for (let v = start; v < end - 1; v++, count++) {
      first[count] = 2 * v;
      boxes[4 * count] = Math.min(xy[2 * v]!, xy[2 * v + 2]!);
      boxes[4 * count + 1] = Math.min(xy[2 * v + 1]!, xy[2 * v + 3]!);
      boxes[4 * count + 2] = Math.max(xy[2 * v]!, xy[2 * v + 2]!);
      boxes[4 * count + 3] = Math.max(xy[2 * v + 1]!, xy[2 * v + 3]!);
    }
    start = end;
  }
  /** On which side of the line of an edge a vertex lies. */
  const side = (edge: number, v: number) =>
    orient2d(xy[edge]!, xy[edge + 1]!, xy[edge + 2]!, xy[edge + 3]!, xy[v]!, xy[v + 1]!);
  return new Tangle(boxes.subarray(0, 4 * count), (i, j) => {
    const [a, b] = [first[i]!, first[j]!];
    return side(a, b) * side(a, b + 2) < 0 && side(b, a) * side(b, a + 2) < 0;
  });
}

function ofRings({ xy, ends }: Geometry): Tangle {
  const boxes = new Float64Array(4 * ends.length);
  let start = 0;
  for (const [ring, end] of ends.entries()) {
    boxes.set([Infinity, Infinity, -Infinity, -Infinity], 4 * ring);
    for (let v = start; v < end; v++)
      for (const axis of [0, 1]) {
        const value = xy[2 * v + axis]!;
        if (value < boxes[4 * ring + axis]!) boxes[4 * ring + axis] = value;
        if (value > boxes[4 * ring + axis + 2]!) boxes[4 * ring + axis + 2] = value;
      }
    start = end;
  }
  return new Tangle(boxes, () => false);
}

/**
 * Why the edges of a geometry are too tangled to be judged: what GEOS takes for that grows with the pairs of edges that lie side by
 * side, and with the square of those that cross, and nothing can stop it.
 * @param geometry coordinates of any plane, all finite; rings may be open.
 * @returns null for any that is drawn as on a map, whatever its size.
 */
export function tangleOf(geometry: Geometry): string | null {
  const cure = 'simplify it, or split it into several rows';
  if (geometry.ends.length > 1 && ofRings(geometry).isOver)
    return `more than ${MOST_PAIRS / 1e6} million pairs of its rings lie within or beside each other: ${cure}`;
  const { pairs, crossings } = ofEdges(geometry);
  if (crossings > MOST_CROSSINGS)
    return `its outline crosses itself more than ${MOST_CROSSINGS.toLocaleString('en-US')} times: draw it anew`;
  if (pairs > MOST_PAIRS)
    return `more than ${MOST_PAIRS / 1e6} million pairs of its edges lie side by side, as in a hatching: ${cure}`;
  return null;
}

/** Whether a geometry crosses itself so often that MakeValid by linework takes long; that by structure takes a tenth of it. */
export const isKnotted = (geometry: Geometry): boolean => ofEdges(geometry).crossings > FEW_CROSSINGS;

/** Edges of all levels that a sweep looks at, at most; the road of a county, drawn as one parcel, has half of them. */
const MOST_SWEPT = 1e9;

/**
 * Why the calculations of a parcel would not end: a line that sweeps over it meets all edges at each latitude of a vertex.
 * @param geometry a valid polygon.
 * @returns null for any that is drawn as on a map.
 */
export function sweepOf({ xy, ends }: Geometry): string | null {
  const vertices = xy.length / 2;
  if (vertices * vertices <= MOST_SWEPT) return null;
  const levels = Float64Array.from({ length: vertices }, (_, v) => xy[2 * v + 1]!).sort();
  let distinct = 0;
  for (const level of levels) if (distinct === 0 || level !== levels[distinct - 1]) levels[distinct++] = level;
  const rankOf = (level: number) => {
    let [low, high] = [0, distinct - 1];
    while (low < high) {
      const probe = (low + high) >> 1;
      if (levels[probe]! < level) low = probe + 1;
      else high = probe;
    }
    return low;
  };
  let [swept, start] = [0, 0];
  for (const end of ends) {
    let rank = rankOf(xy[2 * start + 1]!);
    for (let v = start + 1; v < end; v++) {
      const next = rankOf(xy[2 * v + 1]!);
      swept += Math.abs(next - rank);
      rank = next;
    }
    start = end;
  }
  if (swept <= MOST_SWEPT) return null;
  return `its ${vertices.toLocaleString('en-US')} vertices lie at so many latitudes beside each other that its areas would take hours: simplify it, or split it into several parcels`;
}
