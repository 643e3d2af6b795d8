import type { Catalog } from '../../datasets/catalog.ts';
import { DamagedFile } from '../format/damaged-file.ts';
import { type Cache, createCache } from '../release/cache.ts';
import { Fault } from '../release/fault.ts';
import type { Release } from '../release/open-release.ts';
import { type SharedColumns, takeOver } from '../search/columns/shared-columns.ts';
import { type Plan, planOf } from '../search/page/plan.ts';
import { RowTexts } from '../search/page/row-texts.ts';
import type { WrittenResult } from '../search/page/written-page.ts';
import type { SearchRequest } from '../search/request/request.ts';
import { search } from './search-task.ts';

/**
 * Milliseconds that a search may take in the serving thread: as long as it takes to wake a worker whoever waits; longer
 * while it is alone; and what either may take before it is given up and begun anew by a worker.
 */
const BUDGET = { always: 0.25, alone: 2, most: 4 };

/** Which part of the budget a plan takes; null: it is a worker's. */
const partOf = ({ cost }: Plan): 'always' | 'alone' | null => {
  if (cost <= BUDGET.always) return 'always';
  return cost <= BUDGET.alone ? 'alone' : null;
};

/**
 * Searches that are answered in the thread that serves everybody, by the same code as in workers, over columns and indexes in
 * memory that workers have read and handed over: those whose plan costs no more than the budget.
 */
export class ServingThreadSearches {
  readonly #catalog: Catalog;
  readonly #cache: Cache;
  readonly #texts: RowTexts;
  readonly #isAlone: () => Promise<boolean>;
  readonly #mostMs: number;

  /**
   * @param memoryMb of what is handed over, most of it memory of workers; and a quarter as much of matches as text.
   * @param isAlone whether a request is all that there is to do. @param mostMs after which a search is given up.
   */
  constructor(catalog: Catalog, memoryMb: number, isAlone: () => Promise<boolean>, mostMs = BUDGET.most) {
    this.#catalog = catalog;
    this.#cache = createCache(memoryMb);
    // All else that it keeps is memory of workers; and most pages of matches are written here.
    this.#texts = new RowTexts((memoryMb / 4) * 2 ** 20);
    this.#isAlone = isAlone;
    this.#mostMs = mostMs;
  }

  /** Takes what a worker handed over with a page. */
  take(columnsRead: SharedColumns): void {
    this.#cache.enter();
    try {
      takeOver(columnsRead, this.#cache);
    } finally {
      this.#cache.leave();
    }
  }

  /** Lets go of half of what it may keep. */
  shrink(): void {
    this.#cache.shrink(0.5);
  }

  /** Closes its files. */
  close(): void {
    this.#cache.clear();
  }

  /** The page, or that a worker must make it: `unknown` asks it to hand over what it uses. */
  async page(
    request: SearchRequest,
    release: Release,
    { deadline, progress }: { readonly deadline: number; readonly progress?: Int32Array | null },
  ): Promise<WrittenResult | 'heavy' | 'unknown'> {
    const plan = this.#plan(request, release);
    if (!plan) return 'heavy';
    if (!plan.held) return 'unknown';
    const part = partOf(plan);
    if (!part || (part === 'alone' && !(await this.#isAlone()))) return 'heavy';
    let judged = 0;
    const result = await search(request, {
      release,
      catalog: this.#catalog,
      cache: this.#cache,
      texts: this.#texts,
      plan,
      deadline: Math.min(deadline, Date.now() + this.#mostMs),
      // It ends before anybody could say so.
      stopped: () => false,
      onJudged: () => {
        judged++;
      },
    });
    if ('issues' in result) return result;
    if (result.status === 'partial') return result.reason === 'timeout' ? 'heavy' : 'unknown';
    if (progress) Atomics.add(progress, 0, judged);
    return result;
  }

  /** A worker says what is wrong with a release that cannot be planned with. */
  #plan(request: SearchRequest, release: Release): Plan | null {
    try {
      return planOf(request, release, this.#catalog, this.#cache);
    } catch (error) {
      if (error instanceof Fault || error instanceof DamagedFile) return null;
      throw error;
    }
  }
}
