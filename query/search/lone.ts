import type { Catalog } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import type { Cache } from '../cache.ts';
import { isAreaField } from '../calculated/built.ts';
import { Calculated } from '../calculated/calculated.ts';
import { Interrupted } from '../fault.ts';
import { isGeosLoaded, loadGeos } from '../geos.ts';
import { Layers } from '../layer.ts';
import type { Release } from '../release.ts';
import { Columns } from './columns.ts';
import { countyTests } from './county-tests.ts';
import type { SearchRequest } from './request.ts';
import { search, unchanged, type Weighed } from './search.ts';
import type { WrittenResult } from './written-page.ts';

/** How long a search is tried. */
export interface Patience {
  /** Milliseconds after which it is left to a worker after all. */
  readonly mostMs: number;
}

export const PATIENCE: Patience = { mostMs: 3 };
/** Vertices of its areas up to which one is tried. */
const MOST_VERTICES = 1024;
/** Searches that are left to workers after one that took too long, at first and at most. */
const FIRST_REST = 2;
const MOST_REST = 32;

const isLookedUp = (field: Field | undefined): boolean => field !== undefined && isAreaField(field);

/**
 * Searches that come alone, answered in the thread that asks: nobody waits for it meanwhile, and a third of what many of
 * them take is to wake a worker. They are tried for some milliseconds over what workers have handed over, by the same code; one
 * that takes longer or lacks something is begun anew by a worker.
 */
export class LoneSearches {
  readonly #catalog: Catalog;
  readonly #cache: Cache;
  readonly #patience: Patience;
  /** Searches that are not tried because those before took too long, and how many that will be next time. */
  #rest = 0;
  #nextRest = FIRST_REST;

  /** @param cache of what workers handed over. */
  constructor(catalog: Catalog, cache: Cache, patience: Patience) {
    this.#patience = patience;
    this.#catalog = catalog;
    this.#cache = cache;
  }

  /** Whether it is worth trying. */
  mayTry({ filters, enrich, index, outputs }: SearchRequest): boolean {
    if (enrich || index === false) return false;
    // What tables say of an area is looked up in them by DuckDB.
    if (outputs.some(name => isLookedUp(this.#catalog.fields.get(name)))) return false;
    if (filters.areas.length > 0) {
      if (filters.areas.reduce((sum, { geometry }) => sum + geometry.xy.length / 2, 0) > MOST_VERTICES) return false;
      if (!isGeosLoaded()) {
        // For those that come later: nobody waits for it.
        loadGeos().catch(() => {});
        return false;
      }
    }
    if (this.#rest === 0) return true;
    this.#rest--;
    return false;
  }

  /**
   * The page of a search, or why there is none: `unknown` where something was not handed over yet.
   * @param progress counts the candidates judged.
   */
  async page(
    request: SearchRequest,
    release: Release,
    { deadline, progress }: { readonly deadline: number; readonly progress?: Int32Array | null },
  ): Promise<WrittenResult | 'heavy' | 'unknown'> {
    const until = performance.now() + this.#patience.mostMs;
    const weighed = this.#weigh(release);
    try {
      const result = await search(request, {
        release,
        catalog: this.#catalog,
        cache: this.#cache,
        weighed,
        deadline,
        stopped: () => performance.now() > until,
        ...(progress ? { onJudged: () => void Atomics.add(progress, 0, 1) } : {}),
      });
      this.#nextRest = FIRST_REST;
      if ('issues' in result) return result;
      if (result.status === 'partial' || !unchanged(weighed)) return weighed.lacking() ? 'unknown' : 'heavy';
      return result;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      this.#rest = this.#nextRest;
      this.#nextRest = Math.min(MOST_REST, 2 * this.#nextRest);
      return 'heavy';
    }
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
        const parcels = layers.openedFeatures(county)?.file;
        if (!parcels) return void lacks();
        const columns = new Columns(
          layers,
          new Calculated(layers, this.#catalog, county),
          county,
          parcels.count,
          () => {},
        );
        if (!tests.every(({ name }) => columns.has(name, parcels))) return null;
        const one = countyTests(tests, columns, parcels, true);
        return one ? one.rows() : void lacks();
      },
    };
  }
}
