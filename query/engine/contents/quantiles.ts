import { settled } from '../../evaluate/evaluate.ts';
import { type AreaQuantiles, readQuantiles } from '../../parcel/quantiles.ts';
import { createCache } from '../../release/cache.ts';
import type { Release } from '../../release/open-release.ts';

/** Megabytes of quantiles that are kept: those of some dozen counties. */
const MEMORY_MB = 16;

/** Reads the quantiles of parcels in the serving thread: a file of a hundred kilobytes. */
export class Quantiles {
  readonly #cache = createCache(MEMORY_MB);

  /**
   * The quantiles of an area's parcels; null where the release has none of it.
   * @param area FIPS code of a county, letters of a state, `US`.
   * @throws Fault when their file is missing or damaged.
   */
  async of(release: Release | null, area: string): Promise<AreaQuantiles | null> {
    const all = release?.manifest.quantiles ?? {};
    const file = Object.hasOwn(all, area) ? all[area]!.file : null;
    if (!file) return null;
    return settled(
      async layers => layers!.open(file, async path => ({ value: await readQuantiles(path), bytes: 4 * file.bytes })),
      { release, cache: this.#cache },
    );
  }

  /** Lets go of what is kept. */
  close(): void {
    this.#cache.clear();
  }
}
