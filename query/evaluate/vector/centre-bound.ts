import { distanceTo } from '../../geometry/feature-distance.ts';
import type { Features } from '../../release/features.ts';
import type { Batch } from '../context.ts';
import { type About, PointGroup } from '../point-group.ts';

/** A disc at least so many times as wide as the batch is decided from its middle for most features. */
const WIDE = 4;
/** What distanceTo may be off, as a share of the distance and in metres, twice as much. */
const [SHARE, METRES] = [2e-6, 0.2];

/**
 * The middle of some points. A feature whose distance from it differs from a disc's radius by more than the points lie apart
 * from it is within the discs of all of them, or of none (triangle inequality).
 */
export class CentreBound {
  readonly #lng: number;
  readonly #lat: number;
  /** Metres that no point is farther from the middle than. */
  readonly #spread: number;
  readonly #metres = new Map<Features, Map<string, number>>();

  private constructor({ lng, lat, spread }: About) {
    [this.#lng, this.#lat, this.#spread] = [lng, lat, spread];
  }

  /** The middle for discs of a radius in metres; null where they are too small for it to tell anything. */
  static of(about: About, radius: number): CentreBound | null {
    return radius >= about.spread * WIDE ? new CentreBound(about) : null;
  }

  /** The same of a batch, made once. */
  static async ofBatch(batch: Batch, radius: number): Promise<CentreBound | null> {
    const centre = await batch.memo('centre', async () => new CentreBound(await PointGroup.of(batch)));
    return radius >= centre.#spread * WIDE ? centre : null;
  }

  /**
   * Whether a feature lies within the disc of every point (true) or of none (false); null where the point
   * decides.
   * @throws DamagedFile when the feature cannot be read.
   */
  within(features: Features, feature: number, radius: number): boolean | null {
    const band = this.#spread + radius * SHARE + METRES;
    let cached = this.#metres.get(features);
    if (!cached) {
      cached = new Map();
      this.#metres.set(features, cached);
    }
    const key = `${feature} ${radius}`;
    let metres = cached.get(key);
    if (metres === undefined) {
      metres = distanceTo(features.feature(feature).geometry, this.#lng, this.#lat, radius + band);
      cached.set(key, metres);
    }
    if (metres > radius + band) return false;
    return metres <= radius - band ? true : null;
  }
}
