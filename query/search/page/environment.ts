import type { Catalog } from '../../../datasets/catalog.ts';
import type { Cache } from '../../release/cache.ts';
import type { Release } from '../../release/open-release.ts';
import type { Plan } from './plan.ts';
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
  /** Where the page is made of what is in memory, over the same release and cache. */
  readonly plan?: Plan;
}
