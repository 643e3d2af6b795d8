import { firstFrom } from '../search/columns/ascending.ts';

/**
 * Where values stand among others, in hundredths: the share of the others that are less, and half of those that are equal (the
 * mid-rank of Hazen, 1914). So it does not matter from which end one counts, and equal values share the middle.
 */
export class Percentiles {
  readonly #sorted: Float64Array;

  /** @param values without NaN; a copy is sorted. */
  constructor(values: Float64Array) {
    this.#sorted = values.slice().sort();
  }

  /** How many there are. */
  get count(): number {
    return this.#sorted.length;
  }

  /** Of a value that is among them, 0 to 100. */
  of(value: number): number {
    const sorted = this.#sorted;
    const below = firstFrom(sorted, value);
    let [upTo, high] = [below, sorted.length];
    while (upTo < high) {
      const mid = (upTo + high) >> 1;
      if (sorted[mid]! <= value) upTo = mid + 1;
      else high = mid;
    }
    return (50 * (below + upTo)) / sorted.length;
  }
}
