import type { Catalog } from '../../datasets/catalog.ts';
import { DamagedFile } from '../format/damaged-file.ts';
import { type Cache, createCache } from '../release/cache.ts';
import { Fault } from '../release/fault.ts';
import type { Release } from '../release/open-release.ts';
import { type SharedColumns, takeOver } from '../search/columns/shared-columns.ts';
import type { Weighed } from '../search/page/environment.ts';
import { RowTexts } from '../search/page/row-texts.ts';
import type { WrittenResult } from '../search/page/written-page.ts';
import type { SearchRequest } from '../search/request/request.ts';
import { IdleSearches, PATIENCE } from './idle-searches.ts';
import type { IdleThread } from './idle-thread.ts';
import type { PartialPage } from './partial-page.ts';
import { ShortSearches } from './short-searches.ts';

/** Searches that are answered in the thread that serves everybody: light ones always, others while they are alone. */
export class ServingThreadSearches {
  readonly #cache: Cache;
  readonly #lights: ShortSearches;
  readonly #idleSearches: IdleSearches;
  readonly #idleThread: IdleThread;

  /** @param memoryMb of what is handed over, most of it memory of workers; and half as much of matches as text. */
  constructor(catalog: Catalog, memoryMb: number, idleThread: IdleThread, patience = PATIENCE) {
    this.#cache = createCache(memoryMb);
    // All else that it keeps is memory of workers; and most pages of matches are written here.
    const texts = new RowTexts((memoryMb / 2) * 2 ** 20);
    this.#lights = new ShortSearches(catalog, this.#cache, texts);
    this.#idleSearches = new IdleSearches(catalog, this.#cache, texts, patience);
    this.#idleThread = idleThread;
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

  /** A worker says what is wrong with a release that cannot be weighed. */
  #weigh(request: SearchRequest, release: Release): Weighed | 'heavy' | 'unknown' {
    try {
      return this.#lights.weigh(request, release);
    } catch (error) {
      if (error instanceof Fault || error instanceof DamagedFile) return 'heavy';
      throw error;
    }
  }

  /** The page, or that a worker must make it or go on with it: `unknown` asks it to hand over what it uses. */
  async page(
    request: SearchRequest,
    release: Release,
    terms: { readonly deadline: number; readonly progress?: Int32Array | null; readonly caller?: object },
  ): Promise<WrittenResult | PartialPage | 'heavy' | 'unknown'> {
    this.#idleThread.arrived();
    const weighed = this.#weigh(request, release);
    if (typeof weighed !== 'string') return (await this.#lights.page(request, weighed, terms)) ?? 'unknown';
    if (!this.#idleSearches.mayBegin(request) || !(await this.#idleThread.begins(terms.caller))) return weighed;
    try {
      const page = await this.#idleSearches.page(request, release, terms);
      return page === 'heavy' ? weighed : page;
    } finally {
      this.#idleThread.ended();
    }
  }
}
