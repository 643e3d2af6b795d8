import type { Catalog } from '../../datasets/catalog.ts';
import type { Cache } from '../release/cache.ts';
import type { Release } from '../release/open-release.ts';

/** What a task runs with in its worker. */
export interface TaskEnvironment {
  /** The release that was current when the request came; null when nothing was published. */
  readonly release: Release | null;
  readonly catalog: Catalog;
  readonly cache: Cache;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** True once nobody waits for the answer. */
  readonly stopped: () => boolean;
  /** Told every step of work that a caller may want to count. */
  readonly onProgress: () => void;
  /** Said between steps of long work, which waits for what it returns: what is urgent is done meanwhile. */
  readonly pause?: () => Promise<void> | undefined;
}
