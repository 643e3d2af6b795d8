import type { Engine } from '../../query/engine/engine-interface.ts';
import { TaskFailed } from '../../query/engine/failure.ts';
import type { Geocoded } from '../../query/geocode/match.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import type { GeocodeTier, TierAnswer } from './tier.ts';

/** Milliseconds the local geocoder may take, as much as a primary provider. */
const LOCAL_LIMIT_MS = 3_000;

/** Converts the result of the local geocoder to the form that all tiers answer in. */
export const localAnswer = ({ matches, city, area, surroundings }: Geocoded): TierAnswer => ({
  provider: 'other',
  matches,
  city,
  ...(area && { area }),
  ...(surroundings && { surroundings }),
});

/**
 * Makes a tier of the geocoder over the layers of the release.
 * @param now epoch milliseconds.
 */
export function createLocalTier(engine: Pick<Engine, 'geocode' | 'status'>, now: () => number): GeocodeTier {
  return {
    isFree: true,
    version: () => `local ${engine.status().release}`,
    requireReady() {
      if (engine.status().release === null)
        throw new ServiceError('geocode_unconfigured', { reason: 'nothing was published yet' });
    },
    async locate(address, { deadline, signal, account }) {
      const limit = Math.min(deadline, now() + LOCAL_LIMIT_MS);
      const found = await engine.geocode(address, { deadline: limit, signal, account }).catch((error: unknown) => {
        if (!(error instanceof TaskFailed)) throw engineRefusal(error, () => new ServiceError('geocode_busy'));
        throw error.late
          ? new ServiceError('geocode_timeout')
          : new ServiceError('geocode_upstream_error', { reason: 'layers of the release cannot be read' });
      });
      if (found.uncovered)
        throw new ServiceError('geocode_unconfigured', { reason: 'the release holds no layer that answers addresses' });
      return localAnswer(found);
    },
  };
}
