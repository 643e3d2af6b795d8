import type { Catalog } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import { isGeosLoaded, loadGeos } from '../geometry/geos.ts';
import { isAreaField } from '../parcel/built-columns.ts';
import { Calculated } from '../parcel/calculated-values.ts';
import type { Cache } from '../release/cache.ts';
import { Layers } from '../release/layers.ts';
import type { Release } from '../release/open-release.ts';
import { Columns } from '../search/columns/columns.ts';
import { unchanged, type Weighed } from '../search/page/environment.ts';
import type { RowTexts } from '../search/page/row-texts.ts';
import type { WrittenResult } from '../search/page/written-page.ts';
import { countyTests } from '../search/predicate/county-tests.ts';
import type { SearchRequest } from '../search/request/request.ts';
import type { PartialPage } from './partial-page.ts';
import { search } from './search-task.ts';

/** How long a search may take. */
interface Patience {
  /** Milliseconds after which a worker goes on with it. */
  readonly mostMs: number;
  /** Searches that are not begun here after several that took longer, at most. */
  readonly mostRest: number;
}

/** As long as it takes to wake a worker ten times. */
export const PATIENCE: Patience = { mostMs: 4, mostRest: 16 };
/** Vertices of its areas, filters and their operands up to which one is begun: to prepare them takes its time. */
const MOST_VERTICES = 1024;
const MOST_TESTS = 32;
const MOST_OPERANDS = 1024;

const isLookedUp = (field: Field | undefined): boolean => field !== undefined && isAreaField(field);

/**
 * Searches that come alone, answered in the thread that asks: nobody waits for it meanwhile, and a third of what many of
 * them take is to wake a worker. They run over what workers have handed over, by the same code; where that lacks
 * something a worker begins anew, and where a search takes longer a worker goes on with it.
 */
export class IdleSearches {
  readonly #catalog: Catalog;
  readonly #cache: Cache;
  readonly #texts: RowTexts;
  readonly #patience: Patience;
  /** Searches that will not be begun because those before took too long, and how many after the next that does. */
  #rest = 0;
  #nextRest = 1;

  /** @param cache of what workers handed over. */
  constructor(catalog: Catalog, cache: Cache, texts: RowTexts, patience: Patience) {
    this.#patience = patience;
    this.#catalog = catalog;
    this.#cache = cache;
    this.#texts = texts;
  }

  /** Whether one shall be begun here: to go on with it costs a worker more than to begin, where that happens often. */
  mayBegin(request: SearchRequest): boolean {
    if (!this.#isFit(request)) return false;
    if (this.#rest === 0) return true;
    this.#rest--;
    return false;
  }

  #isFit({ filters, enrich, index, outputs, budget }: SearchRequest): boolean {
    // Ceilings count what a whole page takes.
    if (enrich || index === false || budget.maxCandidates !== null || budget.maxEvaluated !== null) return false;
    if (filters.tests.length > MOST_TESTS) return false;
    if (filters.tests.reduce((sum, { operands }) => sum + operands.length, 0) > MOST_OPERANDS) return false;
    // What tables say of an area is looked up in them by DuckDB.
    if (outputs.some(name => isLookedUp(this.#catalog.fields.get(name)))) return false;
    if (filters.areas.length === 0) return true;
    if (filters.areas.reduce((sum, { geometry }) => sum + geometry.xy.length / 2, 0) > MOST_VERTICES) return false;
    // For those that come later: nobody waits for it.
    if (!isGeosLoaded()) loadGeos().catch(() => {});
    return isGeosLoaded();
  }

  /**
   * The page of a search, or as much of it as there was time for; otherwise why there is none: `unknown` where something
   * was not handed over yet, `heavy` where a worker must say what is wrong.
   * @param progress counts the candidates judged.
   */
  async page(
    request: SearchRequest,
    release: Release,
    { deadline, progress }: { readonly deadline: number; readonly progress?: Int32Array | null },
  ): Promise<WrittenResult | PartialPage | 'heavy' | 'unknown'> {
    const weighed = this.#weigh(release);
    let [matches, failures] = [0, 0];
    const result = await search(request, {
      release,
      catalog: this.#catalog,
      cache: this.#cache,
      texts: this.#texts,
      weighed,
      deadline: Math.min(deadline, Date.now() + this.#patience.mostMs),
      // It ends before anybody could say so.
      stopped: () => false,
      onEnd: (found, failed) => {
        [matches, failures] = [found, failed];
      },
      ...(progress ? { onJudged: () => void Atomics.add(progress, 0, 1) } : {}),
    });
    if ('issues' in result) return result;
    if (weighed.lacking()) return 'unknown';
    if (!unchanged(weighed)) return 'heavy';
    if (result.reason === 'timeout') {
      this.#rest = Math.min(this.#patience.mostRest, this.#nextRest);
      this.#nextRest = Math.max(1, 2 * this.#rest);
      return { start: result, matches, failures };
    }
    this.#nextRest = Math.max(1, this.#nextRest / 2);
    return result.status === 'partial' ? 'heavy' : result;
  }

  #weigh(release: Release): Weighed & { lacking(): boolean } {
    const layers = new Layers(release, this.#cache, true);
    let lacking = false;
    const lacks = () => {
      lacking = true;
    };
    return {
      layers,
      lacking: () => lacking,
      rows: (county, tests) => {
        const parcels = layers.featuresIfOpen(county)?.file;
        if (!parcels) return void lacks();
        const calculated = new Calculated(layers, this.#catalog, county);
        const columns = new Columns(layers, calculated, county, parcels.count, () => {});
        if (!tests.every(({ name }) => columns.has(name, parcels))) return null;
        const one = countyTests(tests, columns, parcels, true);
        return one ? one.rows() : void lacks();
      },
    };
  }
}
