import type { Catalog } from '../../datasets/catalog.ts';
import type { Partition } from '../../datasets/release.ts';
import { Calculated } from '../parcel/calculated-values.ts';
import type { Cache } from '../release/cache.ts';
import { Layers } from '../release/layers.ts';
import type { Release } from '../release/open-release.ts';
import { Columns } from '../search/columns/columns.ts';
import { unchanged, type Weighed } from '../search/page/environment.ts';
import type { RowTexts } from '../search/page/row-texts.ts';
import type { WrittenPage } from '../search/page/written-page.ts';
import { countiesOf } from '../search/predicate/counties.ts';
import { countyTests } from '../search/predicate/county-tests.ts';
import type { RowTests } from '../search/predicate/row-tests.ts';
import { testsWithin } from '../search/request/filter.ts';
import { BOUNDARY_OUTPUTS } from '../search/request/name.ts';
import { compareCounties } from '../search/request/position.ts';
import type { SearchRequest } from '../search/request/request.ts';
import { search } from './search-task.ts';

/**
 * Counties, filters, outputs, operands of one, values of columns that are looked through, and rows that are read, up to
 * which a search is light.
 */
const MOST_COUNTIES = 8;
const MOST_TESTS = 16;
const MOST_OUTPUTS = 32;
const MOST_OPERANDS = 16;
const MOST_LOOKED = 131_072;
const MOST_READ = 11;

const BOUNDARIES: ReadonlySet<string> = new Set(BOUNDARY_OUTPUTS);

/**
 * Searches that cost about what it takes to wake a worker: for a text that hardly repeats, such as a parcel number, for
 * numbers that no parcel has, and for a few parcels of a small county. They are answered in the thread that asks, by the
 * same code over columns and indexes that workers have read and handed over. Everything else is a worker's.
 */
export class ShortSearches {
  readonly #catalog: Catalog;
  readonly #cache: Cache;
  readonly #texts: RowTexts;

  /** @param cache of what workers handed over. */
  constructor(catalog: Catalog, cache: Cache, texts: RowTexts) {
    this.#catalog = catalog;
    this.#cache = cache;
    this.#texts = texts;
  }

  /** Weighs a search. Nothing is read but the stats of the files that it would use. */
  weigh(request: SearchRequest, release: Release): Weighed | 'heavy' | 'unknown' {
    const { filters, outputs, enrich, index, after, limit } = request;
    if (filters.areas.length > 0 || enrich || index === false || outputs.some(name => BOUNDARIES.has(name)))
      return 'heavy';
    if (filters.tests.length > MOST_TESTS || outputs.length > MOST_OUTPUTS) return 'heavy';
    if (filters.tests.some(({ operands }) => operands.length > MOST_OPERANDS)) return 'heavy';
    const layers = new Layers(release, this.#cache, true);
    const found = new Map<Partition, RowTests | null>();
    const rows = (county: Partition) => found.get(county);
    // Where a page takes more rows than may be read it matters only whether there are any.
    const closely = limit < MOST_READ;
    // Rows read to be sure, and rows that fill a page from a scan.
    let [looked, read, filling] = [0, 0, 0];
    for (const county of countiesOf(release)) {
      if (after && compareCounties(county, after) < 0) continue;
      const tests = testsWithin(filters.tests, county);
      if (!tests) continue;
      if (found.size === MOST_COUNTIES) return 'heavy';
      const calculated = new Calculated(layers, this.#catalog, county.partition);
      if ([...outputs, ...tests.map(({ name }) => name)].some(name => calculated.locate(name))) return 'heavy';
      const parcels = layers.featuresIfOpen(county.partition)?.file;
      // The page may be full before it comes to this county.
      if (!parcels) return filling ? { layers, rows } : 'unknown';
      const columns = new Columns(layers, calculated, county.partition, parcels.count, () => {});
      if (!tests.every(({ name }) => columns.has(name, parcels))) {
        found.set(county.partition, null);
        continue;
      }
      const one = countyTests(tests, columns, parcels, closely);
      if (!one) return filling ? { layers, rows } : 'unknown';
      read += one.read;
      looked += one.looked * tests.length;
      if (one.looked) filling = limit + 1;
      if (looked > MOST_LOOKED || read + filling > MOST_READ) return 'heavy';
      found.set(county.partition, one.rows());
    }
    return { layers, rows };
  }

  /**
   * The page of a search that was weighed this moment; null where a worker must say what cannot be read.
   * @param progress counts the candidates judged.
   */
  async page(
    request: SearchRequest,
    weighed: Weighed,
    { deadline, progress }: { readonly deadline: number; readonly progress?: Int32Array | null },
  ): Promise<WrittenPage | null> {
    const result = await search(request, {
      release: weighed.layers.release,
      catalog: this.#catalog,
      cache: this.#cache,
      texts: this.#texts,
      weighed,
      deadline,
      // It ends before anybody could say so.
      stopped: () => false,
      ...(progress ? { onJudged: () => void Atomics.add(progress, 0, 1) } : {}),
    });
    return 'issues' in result || result.status === 'partial' || !unchanged(weighed) ? null : result;
  }
}
