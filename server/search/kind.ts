/** Matches of one page by default and at most (a limit of the interface). */
export const DEFAULT_LIMIT = 10;
export const MAX_LIMIT = 100;

/** Up to which parcels are counted by default, and at most. */
export const DEFAULT_BOUND = 100_000;
export const MAX_BOUND = 1_000_000;

/** What is asked of parcels that pass filters: the keys of its body, and the one that says how many at most. */
export interface Kind {
  readonly keys: readonly string[];
  readonly limit: string;
  readonly usual: number;
  readonly most: number;
  /** What to do for more; null: nothing. */
  readonly more: string | null;
}
/** One page of a search. */
export const PAGE: Kind = {
  keys: ['filters', 'fields', 'enrich', 'limit', 'cursor'],
  limit: 'limit',
  usual: DEFAULT_LIMIT,
  most: MAX_LIMIT,
  more: 'Take further pages with `cursor`.',
};
/** A count. */
export const COUNT: Kind = {
  keys: ['filters', 'bound'],
  limit: 'bound',
  usual: DEFAULT_BOUND,
  most: MAX_BOUND,
  more: null,
};
