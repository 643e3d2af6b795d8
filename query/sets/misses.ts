import type { CountySet } from './county-set.ts';
import { FAILS, PASSES } from './row-states.ts';
import type { SetFilter } from './set-filter.ts';

/** Which filters the rows of a county do not pass. */
export interface Misses {
  /** By row: filters that it does not pass, or that are not known to let it pass. */
  readonly count: Uint16Array;
  /** By row: the place of the last of them. */
  readonly last: Uint16Array;
  /** 1 of rows that a filter rules out: the others may pass, if they do not. */
  readonly fails: Uint8Array;
}

/**
 * Judges every row of a county by some filters.
 * @param filters by their place in the request. @param each told how many rows a filter lets through alone.
 * @param combined whether they are asked together, not only each alone.
 * @throws Fault or DamagedFile when a column or an outline cannot be read.
 */
export async function missesOf(
  set: CountySet,
  filters: ReadonlyMap<number, SetFilter>,
  combined = true,
  each: (index: number, passing: number) => void = () => {},
): Promise<Misses> {
  const size = combined ? set.count : 0;
  const misses = { count: new Uint16Array(size), last: new Uint16Array(size), fails: new Uint8Array(size) };
  const { count, last, fails } = misses;
  for (const [index, filter] of filters) {
    const states = await set.states(filter);
    let passing = 0;
    for (let row = 0; row < states.length; row++) if (states[row] === PASSES) passing++;
    each(index, passing);
    if (passing === size) continue;
    for (let row = 0; row < size; row++) {
      const state = states[row]!;
      if (state === PASSES) continue;
      count[row]!++;
      last[row] = index;
      if (state === FAILS) fails[row] = 1;
    }
  }
  return misses;
}
