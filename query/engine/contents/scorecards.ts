import { settled } from '../../evaluate/evaluate.ts';
import { type CountyScore, readScorecard, scoredOf } from '../../parcel/scorecard.ts';
import { createCache } from '../../release/cache.ts';
import type { Release } from '../../release/open-release.ts';
import { lacksRows } from '../../release/pack/pack.ts';
import { countiesOf } from '../../search/predicate/counties.ts';

/** Megabytes of scorecards that are kept: those of some dozen counties. */
const MEMORY_MB = 16;

/** Reads the scorecards of counties in the serving thread: files of a hundred kilobytes. */
export class Scorecards {
  readonly #cache = createCache(MEMORY_MB);

  /**
   * The scorecard of a county; null where none was taken of what the release has there now.
   * @throws Fault when its file is missing or damaged.
   */
  async of(release: Release | null, county: string): Promise<CountyScore | null> {
    const all = release?.manifest.scorecards ?? {};
    const score = Object.hasOwn(all, county) ? all[county]! : null;
    const partition = countiesOf(release).find(({ fips }) => fips === county)?.partition;
    if (!score || !partition || score.inputs !== scoredOf(release!, partition)) return null;
    const { file } = score;
    return settled(
      async layers => layers!.open(file, async path => ({ value: await readScorecard(path), bytes: 4 * file.bytes })),
      { release, cache: this.#cache },
    );
  }

  /** Counties with parcels, FIPS codes in stored order. */
  counties(release: Release | null): readonly string[] {
    return countiesOf(release).flatMap(({ fips, partition }) => (lacksRows(release!, partition) ? [] : [fips]));
  }

  /** Lets go of what is kept. */
  close(): void {
    this.#cache.clear();
  }
}
