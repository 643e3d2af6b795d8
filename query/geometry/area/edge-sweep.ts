import { extentOf, halfAcross, halfAlong, medianOf, stack } from './edge-cells.ts';

/** Edges nearer than this, in degrees (a hundredth of a micrometre), do not cross: their order is rounding. */
const SAME = 1e-13;
/** Depth to which a slab is cut at crossings, each of which settles one: more than edges of one latitude have. */
const MOST_SPLITS = 1000;
/** Moves for each edge of a slab after which edges are sorted anew: where all run the other way there is a move for each pair. */
const MOST_MOVES = 32;
/** Edges up to which a cell is swept as it is: cutting it costs more than the edges of its slabs. */
const FEW_EDGES = 128;
/** How often a cell is cut at most: edges that all lie on one spot are not told apart by cutting. */
const MOST_CUTS = 48;
/** Share of its edges that each half of a cell must do without, or cutting is no gain. */
const GAIN = 0.15;

/**
 * A line that sweeps north over edges: between two neighbouring vertices or crossings it hands a slab, in which no two
 * edges cross, to whoever measures (Bentley & Ottmann's events). Many edges are swept in cells that hold few, cut as a k-d tree
 * is (Bentley 1975): each slab looks at all edges of its latitude, and a cell has few of them. Of what lies west of a cell only the
 * parity counts, and owner 0 is closed at its east border, so that cells sum up to the whole.
 */
export abstract class EdgeSweep {
  /** South and north end of each edge: x, y, x, y. */
  #ends: Float64Array;
  /** Whose each edge is; 0 is the ground that is measured. */
  protected owners: Int32Array;
  /** Active edges from west to east, and where they meet the south and north end of the slab. */
  readonly #active: number[] = [];
  readonly #south: number[] = [];
  readonly #north: number[] = [];

  /** @param ends south and north end of each edge: x, y, x, y. @param owners of each edge; 0 is the ground that is measured. */
  constructor(ends: Float64Array, owners: Int32Array) {
    this.#ends = ends;
    this.owners = owners;
  }

  /**
   * @param active edges of the slab from west to east. @param at where they meet its south end. @param to its north end.
   */
  protected abstract measure(
    south: number,
    north: number,
    active: readonly number[],
    at: readonly number[],
    to: readonly number[],
  ): void;

  /** Sweeps over all edges. @param count of them. */
  run(count: number): void {
    if (count <= FEW_EDGES) {
      this.#sweep(0, count);
      return;
    }
    stack.count = 0;
    stack.reserve(count);
    stack.ends.set(this.#ends.subarray(0, 4 * count));
    stack.owners.set(this.owners.subarray(0, count));
    stack.count = count;
    this.#cell(0, 0);
  }

  /** Measures the cell whose edges stand on the stack from `first` on. */
  #cell(first: number, cuts: number): void {
    const count = stack.count - first;
    if (!stack.hasGround(first)) return;
    if (count > FEW_EDGES && cuts < MOST_CUTS && this.#halves(first, cuts)) return;
    this.#ends = stack.ends;
    this.owners = stack.owners;
    this.#sweep(first, count);
  }

  /** Measures a cell in halves. @returns false where they would not have fewer edges, and nothing was measured. */
  #halves(first: number, cuts: number): boolean {
    const last = stack.count;
    const most = (1 - GAIN) * (last - first);
    // The longer side is halved first: cells that are as wide as high hold the fewest edges that cross them.
    const [wide, high] = extentOf(first, last);
    const sides = wide > high ? (['x', 'y'] as const) : (['y', 'x'] as const);
    for (const side of sides) {
      const cut = medianOf(first, last, side);
      const half = side === 'x' ? halfAlong : halfAcross;
      half(first, last, cut, true);
      const isGain = stack.count - last <= most;
      if (isGain) {
        const low = stack.count;
        half(first, last, cut, false);
        if (stack.count - low <= most) {
          this.#cell(low, cuts + 1);
          stack.count = low;
          this.#cell(last, cuts + 1);
          stack.count = last;
          return true;
        }
      }
      stack.count = last;
    }
    return false;
  }

  #sweep(first: number, count: number): void {
    const ends = this.#ends;
    const levels = new Float64Array(count * 2);
    const order: number[] = [];
    for (let i = 0; i < count; i++) {
      levels[2 * i] = ends[4 * (first + i) + 1]!;
      levels[2 * i + 1] = ends[4 * (first + i) + 3]!;
      order.push(first + i);
    }
    levels.sort();
    order.sort((i, j) => ends[4 * i + 1]! - ends[4 * j + 1]!);
    this.#active.length = 0;
    let next = 0;
    for (let i = 1; i < levels.length; i++) {
      const south = levels[i - 1]!;
      const north = levels[i]!;
      if (south === north) continue;
      this.#leave(south);
      while (next < count && ends[4 * order[next]! + 1]! <= south) this.#active.push(order[next++]!);
      if (this.#active.length > 0) this.#slab(south, north, 0);
    }
  }
  #leave(lat: number): void {
    const active = this.#active;
    let kept = 0;
    for (const edge of active) if (this.#ends[4 * edge + 3]! > lat) active[kept++] = edge;
    active.length = kept;
  }

  #xAt(edge: number, lat: number): number {
    const ends = this.#ends;
    const x1 = ends[4 * edge]!;
    const y1 = ends[4 * edge + 1]!;
    const x2 = ends[4 * edge + 2]!;
    const y2 = ends[4 * edge + 3]!;
    if (lat === y1) return x1;
    if (lat === y2) return x2;
    return x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1);
  }

  /** Brings all active edges into order, equal ones as they are. */
  #sort(south: number, north: number): void {
    const edges = this.#active.map(edge => ({ edge, at: this.#xAt(edge, south), to: this.#xAt(edge, north) }));
    edges.sort((a, b) => a.at + a.to - (b.at + b.to));
    for (const [i, { edge, at, to }] of edges.entries()) {
      this.#active[i] = edge;
      this.#south[i] = at;
      this.#north[i] = to;
    }
  }

  #slab(south: number, north: number, splits: number): void {
    const active = this.#active;
    const at = this.#south;
    const to = this.#north;
    let moves = MOST_MOVES * active.length;
    for (let i = 0; i < active.length; i++) {
      if (moves < 0) {
        this.#sort(south, north);
        break;
      }
      const edge = active[i]!;
      const a = this.#xAt(edge, south);
      const b = this.#xAt(edge, north);
      const sum = a + b;
      // Insertion keeps the order of the slab before, which is nearly this one's.
      let place = i;
      while (place > 0 && at[place - 1]! + to[place - 1]! > sum) {
        at[place] = at[place - 1]!;
        to[place] = to[place - 1]!;
        active[place] = active[place - 1]!;
        place--;
      }
      moves -= i - place;
      at[place] = a;
      to[place] = b;
      active[place] = edge;
    }
    if (splits < MOST_SPLITS) {
      const height = north - south;
      for (let i = 1; i < active.length; i++) {
        const before = at[i]! - at[i - 1]!;
        const after = to[i]! - to[i - 1]!;
        if (before >= -SAME && after >= -SAME) continue;
        // Edges in the order of the middle that are out of order at an end cross between.
        const crossing = south + (before / (before - after)) * height;
        if (!(crossing - south > 1e-9 * height && north - crossing > 1e-9 * height)) continue;
        this.#slab(south, crossing, splits + 1);
        this.#slab(crossing, north, splits + 1);
        return;
      }
    }
    this.measure(south, north, active, at, to);
  }
}
