import type { Catalog } from '../../datasets/catalog.ts';
import type { Partition } from '../../datasets/release.ts';
import { type Cache, createCache } from '../cache.ts';
import { Calculated } from '../calculated/calculated.ts';
import { Layers } from '../layer.ts';
import type { Release } from '../release.ts';
import { Columns } from './columns.ts';
import { type Test, testsWithin } from './filter.ts';
import { type Handed, takeOver } from './handed.ts';
import type { HeldColumn } from './held-column.ts';
import { BOUNDARY_OUTPUTS } from './name.ts';
import { compareCounties } from './position.ts';
import type { SearchRequest } from './request.ts';
import { rowTest } from './row-test.ts';
import { RowTests } from './row-tests.ts';
import { countiesOf, search, type Weighed } from './search.ts';
import type { WrittenPage } from './written-page.ts';

/** Counties, operands, and rows that are read, up to which a search is light. */
const MOST_COUNTIES = 8;
const MOST_OPERANDS = 16;
const MOST_READ = 8;

const BOUNDARIES: ReadonlySet<string> = new Set(BOUNDARY_OUTPUTS);

/**
 * Searches that cost less than it takes to wake a worker: for a text that hardly repeats, such as a parcel number, and
 * for numbers that no parcel has. They are answered in the thread that asks, by the same code over columns and indexes
 * that workers have read and handed over; a few rows are read. Everything else is a worker's.
 */
export class LightSearches {
  readonly #catalog: Catalog;
  readonly #cache: Cache;
  readonly #sweep: () => void;
  #running = 0;

  /** @param memoryMb of what is handed over; most of it is memory of workers. */
  constructor(catalog: Catalog, memoryMb: number) {
    this.#catalog = catalog;
    const cache = createCache(memoryMb);
    // Unlike those of a worker, searches run side by side here: a file is closed when none is left.
    this.#cache = { ...cache, sweep: () => {} };
    this.#sweep = () => {
      if (this.#running === 0) cache.sweep();
    };
  }

  /** Takes what a worker handed over with a page. */
  take(handed: Handed): void {
    takeOver(handed, this.#cache);
    this.#sweep();
  }

  /** Weighs a search. Nothing is read but the stats of the files that it would use. */
  weigh(request: SearchRequest, release: Release): Weighed | 'heavy' | 'unknown' {
    const { filters, outputs, enrich, index, after } = request;
    if (filters.areas.length > 0 || enrich || index === false || outputs.some(name => BOUNDARIES.has(name)))
      return 'heavy';
    if (filters.tests.some(({ operands }) => operands.length > MOST_OPERANDS)) return 'heavy';
    const layers = new Layers(release, this.#cache, true);
    const found = new Map<Partition, RowTests>();
    let read = 0;
    for (const county of countiesOf(release)) {
      if (after && compareCounties(county, after) < 0) continue;
      const tests = testsWithin(filters.tests, county);
      if (!tests) continue;
      if (found.size === MOST_COUNTIES) return 'heavy';
      const calculated = new Calculated(layers, this.#catalog, county.partition);
      if ([...outputs, ...tests.map(({ name }) => name)].some(name => calculated.locate(name))) return 'heavy';
      const parcels = layers.openedFeatures(county.partition)?.file;
      if (!parcels) return 'unknown';
      const columns = new Columns(layers, calculated, county.partition, parcels.count, () => {});
      if (!tests.every(({ name }) => columns.has(name, parcels))) continue;
      const held = tests.map(test => columns.heldAlready(test));
      const made = (telling: boolean) =>
        tests.flatMap((test, i) => {
          const column = held[i];
          if (!column || isTelling(test, column) !== telling) return [];
          return [rowTest(test, column, columns.reader(test.name, parcels))];
        });
      const telling = made(true);
      const few = new RowTests(telling, parcels.count);
      // One test that no row passes is enough, for a worker too: it may not have read the other columns.
      if (!few.possible) {
        found.set(county.partition, few);
        continue;
      }
      if (held.includes(null)) return 'unknown';
      read += few.listed;
      if (read > MOST_READ) return 'heavy';
      found.set(county.partition, new RowTests([...telling, ...made(false)], parcels.count));
    }
    return { layers, rows: found };
  }

  /**
   * The page of a search that was weighed this moment; null where a worker must say what cannot be read.
   * @param progress counts the candidates judged.
   */
  async page(
    request: SearchRequest,
    weighed: Weighed,
    { deadline, progress }: { readonly deadline: number; readonly progress?: Int32Array },
  ): Promise<WrittenPage | null> {
    this.#running++;
    try {
      const result = await search(request, {
        release: weighed.layers.release,
        catalog: this.#catalog,
        cache: this.#cache,
        weighed,
        deadline,
        // It ends before anybody could say so.
        stopped: () => false,
        ...(progress ? { onJudged: () => void Atomics.add(progress, 0, 1) } : {}),
      });
      return 'issues' in result || result.status === 'partial' ? null : result;
    } finally {
      this.#running--;
      this.#sweep();
    }
  }
}

/** Whether a test says at once that few rows pass, or none: by hashes or by the bounds of numbers. */
const isTelling = ({ op }: Test, { form }: HeldColumn): boolean =>
  form === 'numbers' || (form === 'hashes' && (op === 'eq' || op === 'in'));
