import { compareTexts } from './column-values.ts';
import type { CountySet } from './county-set.ts';

/** Rows of one county in a list of all rows. */
export interface Placed {
  readonly set: CountySet;
  /** Place of the first of them. */
  readonly start: number;
  readonly rows: Uint32Array;
}

/** By what rows are put in order: NaN comes last whatever the direction. */
interface Key {
  readonly values: Float64Array;
  readonly descending: boolean;
}

/** A row that has its place. */
interface RankedRow {
  /** Its place in the list of all rows. */
  readonly at: number;
  readonly place: Placed;
  readonly row: number;
  readonly id: string;
}

/** Rows between two steps: their ids are read. */
const STEP = 512;

/** Puts rows in order as far as the first of them are asked for; equal ones by their id. */
export class RankOrder {
  readonly #keys: readonly Key[];
  readonly #left: Uint8Array;
  readonly #places: readonly Placed[];

  /** @param left 1 of rows that have no place. @param places ascending. */
  constructor(keys: readonly Key[], left: Uint8Array, places: readonly Placed[]) {
    this.#keys = keys;
    this.#left = left;
    this.#places = places;
  }

  /** @throws DamagedFile when an id cannot be read; what `step` throws. */
  async first(limit: number, step: () => Promise<void> | undefined): Promise<RankedRow[]> {
    const heap = this.#best(limit);
    const worst = heap[0];
    if (worst === undefined) return [];
    const better = heap.filter(at => this.#compare(at, worst) < 0);
    const equal: number[] = [];
    for (let at = 0; at < this.#left.length; at++)
      if (this.#left[at] === 0 && this.#compare(at, worst) === 0) equal.push(at);
    const all: RankedRow[] = [];
    for (const [i, at] of [...better, ...equal].entries()) {
      if (i % STEP === STEP - 1) await step();
      all.push(this.#named(at));
    }
    return all.sort((a, b) => this.#compare(a.at, b.at) || compareTexts(a.id, b.id)).slice(0, limit);
  }

  /** The best rows, as a heap whose first is the worst of them; which of equal ones is left open. */
  #best(limit: number): number[] {
    const heap: number[] = [];
    const sink = (from: number) => {
      for (let at = from; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        let worst = at;
        if (left < heap.length && this.#compare(heap[left]!, heap[worst]!) > 0) worst = left;
        if (right < heap.length && this.#compare(heap[right]!, heap[worst]!) > 0) worst = right;
        if (worst === at) return;
        [heap[at], heap[worst]] = [heap[worst]!, heap[at]!];
        at = worst;
      }
    };
    for (let at = 0; at < this.#left.length; at++) {
      if (this.#left[at] === 1) continue;
      if (heap.length < limit) {
        heap.push(at);
        if (heap.length === limit) for (let from = limit >> 1; from >= 0; from--) sink(from);
      } else if (this.#compare(at, heap[0]!) < 0) {
        heap[0] = at;
        sink(0);
      }
    }
    if (heap.length < limit) for (let from = heap.length >> 1; from >= 0; from--) sink(from);
    return heap;
  }

  #compare(a: number, b: number): number {
    for (const { values, descending } of this.#keys) {
      const [one, other] = [values[a]!, values[b]!];
      if (one === other) continue;
      const [isNone, isOtherNone] = [Number.isNaN(one), Number.isNaN(other)];
      if (isNone && isOtherNone) continue;
      if (isNone || isOtherNone) return isNone ? 1 : -1;
      return one < other === descending ? 1 : -1;
    }
    return 0;
  }

  #named(at: number): RankedRow {
    let [low, high] = [0, this.#places.length - 1];
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (this.#places[mid]!.start <= at) low = mid;
      else high = mid - 1;
    }
    const place = this.#places[low]!;
    const row = place.rows[at - place.start]!;
    return { at, place, row, id: place.set.parcelId(row) };
  }
}
