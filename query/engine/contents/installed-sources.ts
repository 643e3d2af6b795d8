import type { Catalog } from '../../../datasets/catalog.ts';
import { Availability } from '../../enrich/availability.ts';
import { type InstalledSource, installedIn } from '../../release/installed.ts';
import type { Release } from '../../release/open-release.ts';

/** Counties of which is kept what can be answered there: whoever asks names them. */
const MOST_COUNTIES = 64;

/** The sources of the open release, and what it can answer with them. */
export class InstalledSources {
  readonly #catalog: Catalog;
  #release: Release | null = null;
  /** Null while nobody asked, or while some could not be read. */
  #sources: readonly InstalledSource[] | null = null;
  #available = new Map<string | null, Availability>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Every source of a release, as Engine.installed. */
  of(release: Release | null): readonly InstalledSource[] {
    if (release !== this.#release) this.#sources = null;
    this.#release = release;
    if (this.#sources) return this.#sources;
    let whole = true;
    const sources = installedIn(release, () => {
      whole = false;
    });
    this.#available = new Map();
    // What could not be read may be readable the next time.
    if (whole) this.#sources = sources;
    return sources;
  }

  /** What a release can answer, as Engine.availability. */
  availability(release: Release | null, county: string | null): Availability {
    const sources = this.of(release);
    if (this.#available.size > MOST_COUNTIES) this.#available = new Map();
    const one = this.#available.get(county) ?? new Availability(this.#catalog, release, sources, county);
    this.#available.set(county, one);
    return one;
  }
}
