import type { Catalog } from '../../datasets/catalog.ts';
import type { Partition } from '../../datasets/release.ts';
import { type Cache, createCache } from '../cache.ts';
import { Calculated } from '../calculated/calculated.ts';
import type { FeatureFile } from '../flatgeobuf.ts';
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

/** Counties, outputs, operands, rows of columns that are looked through, and rows that are read, up to which a search is light. */
const MOST_COUNTIES = 8;
const MOST_OUTPUTS = 32;
const MOST_OPERANDS = 16;
const MOST_LOOKED = 16_384;
const MOST_READ = 11;

const BOUNDARIES: ReadonlySet<string> = new Set(BOUNDARY_OUTPUTS);

/**
 * Searches that cost about what it takes to wake a worker: for a text that hardly repeats, such as a parcel number, for
 * numbers that no parcel has, and for a few parcels of a small county. They are answered in the thread that asks, by the
 * same code over columns and indexes that workers have read and handed over. Everything else is a worker's.
 */
export class LightSearches {
  readonly #catalog: Catalog;
  readonly #cache: Cache;

  /** @param memoryMb of what is handed over; most of it is memory of workers. */
  constructor(catalog: Catalog, memoryMb: number) {
    this.#catalog = catalog;
    this.#cache = createCache(memoryMb);
  }

  /** Takes what a worker handed over with a page. */
  take(handed: Handed): void {
    this.#cache.enter();
    takeOver(handed, this.#cache);
    this.#cache.leave();
  }

  /** Weighs a search. Nothing is read but the stats of the files that it would use. */
  weigh(request: SearchRequest, release: Release): Weighed | 'heavy' | 'unknown' {
    const { filters, outputs, enrich, index, after, limit } = request;
    if (filters.areas.length > 0 || enrich || index === false || outputs.some(name => BOUNDARIES.has(name)))
      return 'heavy';
    if (outputs.length > MOST_OUTPUTS || filters.tests.some(({ operands }) => operands.length > MOST_OPERANDS))
      return 'heavy';
    const layers = new Layers(release, this.#cache, true);
    const found = new Map<Partition, RowTests | null>();
    // Rows read because a column lists them, and rows that fill a page from a scan.
    let [looked, listed, filling] = [0, 0, 0];
    for (const county of countiesOf(release)) {
      if (after && compareCounties(county, after) < 0) continue;
      const tests = testsWithin(filters.tests, county);
      if (!tests) continue;
      if (found.size === MOST_COUNTIES) return 'heavy';
      const calculated = new Calculated(layers, this.#catalog, county.partition);
      if ([...outputs, ...tests.map(({ name }) => name)].some(name => calculated.locate(name))) return 'heavy';
      const parcels = layers.openedFeatures(county.partition)?.file;
      // The page may be full before it comes to this county.
      if (!parcels) return filling ? { layers, rows: found } : 'unknown';
      const columns = new Columns(layers, calculated, county.partition, parcels.count, () => {});
      if (!tests.every(({ name }) => columns.has(name, parcels))) {
        found.set(county.partition, null);
        continue;
      }
      const one = testsOf(tests, columns, parcels);
      if (!one) return filling ? { layers, rows: found } : 'unknown';
      listed += one.listed;
      looked += one.looked;
      if (one.looked) filling = limit + 1;
      if (looked > MOST_LOOKED || listed + filling > MOST_READ) return 'heavy';
      found.set(county.partition, one.rows());
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
  }
}

/** The tests of one county, and what it takes to find the rows that pass them. */
interface CountyTests {
  /** Rows that must be read because a column lists them. */
  readonly listed: number;
  /** Rows of columns that are looked through. */
  readonly looked: number;
  readonly rows: () => RowTests;
}

/** Weighs the tests of one county by the columns that are held; null where one is not that would be needed. */
function testsOf(tests: readonly Test[], columns: Columns, parcels: FeatureFile): CountyTests | null {
  const { count } = parcels;
  const held = tests.map(test => columns.heldAlready(test));
  const made = (now: boolean) =>
    tests.flatMap((test, i) => {
      const column = held[i];
      if (!column || isQuick(column) !== now) return [];
      return [rowTest(test, column, columns.reader(test.name, parcels))];
    });
  const quick = made(true);
  const first = new RowTests(quick, count);
  // One test that no row passes is enough, for a worker too: it may not have read the other columns.
  if (!first.possible) return { listed: 0, looked: 0, rows: () => first };
  if (held.includes(null)) return null;
  const isListed = first.listed < count || held.some(column => column?.form === 'hashes');
  return {
    listed: isListed ? first.listed : 0,
    looked: isListed ? 0 : count,
    rows: () => new RowTests([...quick, ...made(false)], count),
  };
}

/** Whether a test of a column takes no time to make: those of codes judge every code. */
const isQuick = ({ form }: HeldColumn): boolean => form !== 'codes';
