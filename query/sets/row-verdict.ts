import type { CountySet } from './county-set.ts';
import { RowBits } from './row-bits.ts';
import type { RowStates } from './row-states.ts';
import type { SetFilter } from './set-filter.ts';

/** What some filters say of the rows of a county together. */
export class RowVerdict {
  /** Rows that pass every filter. */
  readonly all: RowBits;
  /** Rows that no filter rules out, and a calculation that failed keeps from passing. Null where no calculation failed. */
  readonly unknown: RowBits | null;
  readonly #states: ReadonlyMap<number, RowStates>;
  /** Rows that pass every filter but one. */
  readonly #one: RowBits;

  /** @param states of the filters, by their place in the request. @param count rows of the county. */
  constructor(states: ReadonlyMap<number, RowStates>, count: number) {
    // Misses of the filters so far: none, one at most.
    let [all, few] = [RowBits.all(count), RowBits.all(count)];
    let possible: RowBits | null = null;
    for (const { passes, unknown } of states.values()) {
      if (unknown ?? possible) possible = (possible ?? all).and(unknown ? passes.or(unknown) : passes);
      few = few.and(passes).or(all);
      all = all.and(passes);
    }
    this.all = all;
    this.unknown = possible?.except(all) ?? null;
    this.#one = few.except(all);
    this.#states = states;
  }

  /** How many rows one filter lets through alone; undefined of one that was not asked. */
  alone(index: number): number | undefined {
    return this.#states.get(index)?.passes.size;
  }

  /** Rows that pass every filter but this one. */
  missing(index: number): RowBits {
    const passes = this.#states.get(index)?.passes;
    return passes ? this.#one.except(passes) : new RowBits(this.all.count);
  }
}

/**
 * Judges every row of a county by some filters.
 * @param filters by their place in the request.
 * @throws Fault or DamagedFile when a column or an outline cannot be read.
 */
export async function verdictOfRows(set: CountySet, filters: ReadonlyMap<number, SetFilter>): Promise<RowVerdict> {
  const states = new Map<number, RowStates>();
  for (const [index, filter] of filters) states.set(index, await set.states(filter));
  return new RowVerdict(states, set.count);
}
