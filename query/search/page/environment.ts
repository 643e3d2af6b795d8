import type { Catalog } from '../../../datasets/catalog.ts';
import type { Partition } from '../../../datasets/release.ts';
import type { Cache } from '../../release/cache.ts';
import { Fault } from '../../release/fault.ts';
import type { Layers } from '../../release/layers.ts';
import type { Release } from '../../release/open-release.ts';
import type { RowTests } from '../predicate/row-tests.ts';
import type { Test } from '../request/filter.ts';
import type { RowTexts } from './row-texts.ts';

/** Where a search runs. */
export interface SearchEnvironment {
  /** Null: nothing was published yet. */
  readonly release: Release | null;
  readonly catalog: Catalog;
  readonly cache: Cache;
  /** Matches as they were written lately; a share of the cache unless given. */
  readonly texts?: RowTexts;
  /** Epoch milliseconds; matches confirmed by then are returned. */
  readonly deadline: number;
  /** True once nobody waits for the answer. */
  readonly stopped: () => boolean;
  /** Said between steps, which wait for what it returns: what is urgent is done meanwhile. */
  readonly pause?: () => Promise<void> | undefined;
  /** Told every candidate that is judged. */
  readonly onJudged?: () => void;
  /** Told at the end how many matches the page has, and how many values could not be computed. */
  readonly onEnd?: (matches: number, failures: number) => void;
  /** What is known already of a search that was weighed, over the same release and cache. */
  readonly weighed?: Weighed;
}

/** A search over what is held in memory and files that are open, known to be sound by a look of lately. */
export interface Weighed {
  readonly layers: Layers;
  /**
   * The tests of a county that is searched; null where it lacks a column, undefined where something is not held: the
   * page ends there and another thread must make it.
   */
  readonly rows: (county: Partition, tests: readonly Test[]) => RowTests | null | undefined;
}

/** Whether the files that a page was read from are still those that were looked at. */
export function unchanged({ layers }: Pick<Weighed, 'layers'>): boolean {
  try {
    layers.requireUnchanged();
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
