import { EngineBusy } from '../../query/answer.ts';
import type { Geocoded } from '../../query/geocode/match.ts';
import { ServiceError } from '../errors.ts';
import type { GeocodeTier } from './tier.ts';

/** Milliseconds the local geocoder may take, as a primary provider. */
export const LOCAL_LIMIT_MS = 3_000;

/** What the local tier needs of the engine. */
export interface AddressEngine {
  geocode(address: string, options: { readonly deadline: number; readonly signal?: AbortSignal }): Promise<Geocoded>;
  status(): { readonly release: string | null };
}

/**
 * The geocoder over the layers of the release.
 * @param now epoch milliseconds.
 */
export function createLocalTier(engine: AddressEngine, now: () => number): GeocodeTier {
  return {
    version: () => `local ${engine.status().release}`,
    requireReady() {
      if (engine.status().release === null)
        throw new ServiceError('geocode_unconfigured', { reason: 'nothing was published yet' });
    },
    async locate(address, { deadline, signal }) {
      const limit = Math.min(deadline, now() + LOCAL_LIMIT_MS);
      const found = await engine.geocode(address, { deadline: limit, signal }).catch((error: unknown) => {
        throw error instanceof EngineBusy ? new ServiceError('geocode_busy') : error;
      });
      if (found.uncovered)
        throw new ServiceError('geocode_unconfigured', { reason: 'the release holds no layer that answers addresses' });
      return { provider: 'other', matches: found.matches, city: found.city };
    },
  };
}
