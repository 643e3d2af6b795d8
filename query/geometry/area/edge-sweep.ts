/** Edges nearer than this, in degrees (a hundredth of a micrometre), do not cross: their order is rounding. */
const SAME = 1e-13;
/** Depth to which a slab is cut at crossings, each of which settles one: more than edges of one latitude have. */
const MOST_SPLITS = 1000;
/** Moves for each edge of a slab after which edges are sorted anew: where all run the other way there is a move for each pair. */
const MOST_MOVES = 32;

/**
 * A line that sweeps north over edges: between two neighbouring vertices or crossings it hands a slab, in which no two
 * edges cross, to whoever measures (Bentley & Ottmann's events).
 */
export abstract class EdgeSweep {
  readonly #ends: Float64Array;
  /** Active edges from west to east, and where they meet the south and north end of the slab. */
  readonly #active: number[] = [];
  readonly #south: number[] = [];
  readonly #north: number[] = [];

  /** @param ends south and north end of each edge: x, y, x, y. */
  constructor(ends: Float64Array) {
    this.#ends = ends;
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
    const ends = this.#ends;
    const levels = new Float64Array(count * 2);
    for (let i = 0; i < count; i++) {
      levels[2 * i] = ends[4 * i + 1]!;
      levels[2 * i + 1] = ends[4 * i + 3]!;
    }
    levels.sort();
    const order = Array.from({ length: count }, (_, i) => i).sort((i, j) => ends[4 * i + 1]! - ends[4 * j + 1]!);
    let next = 0;
    for (let i = 1; i < levels.length; i++) {
      const south = levels[i - 1]!;
      const north = levels[i]!;
      if (south === north) continue;
      this.#leave(south);
      while (next < count && ends[4 * order[next]! + 1]! <= south) this.#active.push(order[next++]!);
      this.#slab(south, north, 0);
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
