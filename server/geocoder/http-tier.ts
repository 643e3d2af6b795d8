import { ServiceError } from '../errors/registry.ts';
import { Dropped, TimedOut } from '../upstream/exchange.ts';
import { FALLBACK_LIMIT_MS, locateByCensus } from './census.ts';
import { createPrimary, PRIMARY_LIMIT_MS } from './primary.ts';
import type { GeocodeTier, TierAnswer } from './tier.ts';

export interface HttpTierOptions {
  /** URL of the primary provider; empty when it is not configured. */
  readonly url: string;
  readonly key: string;
  /** URL of the fallback; null when there is none. */
  readonly fallbackUrl: string | null;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds for the primary provider, instead of 3 s. */
  readonly primaryLimitMs?: number;
  readonly fallbackLimitMs?: number;
}

/** Turns a failure of a tier into the error that the caller sees. */
function asServiceError(error: unknown): unknown {
  if (error instanceof TimedOut) return new ServiceError('geocode_timeout');
  return error instanceof Dropped ? new ServiceError('geocode_upstream_error', { reason: error.message }) : error;
}

/**
 * Makes a tier of a primary provider over HTTP, with the US Census geocoder as fallback when the primary does not
 * answer in time. Nothing else leads to the fallback: a missing credential, a refusal or an unknown address is the
 * answer.
 */
export function createHttpTier(options: HttpTierOptions): GeocodeTier {
  const { url, key, fallbackUrl, now } = options;
  const { primaryLimitMs = PRIMARY_LIMIT_MS, fallbackLimitMs = FALLBACK_LIMIT_MS } = options;
  const primary = createPrimary(url, key);
  return {
    // Without the query, which may hold a secret.
    version: () => `http ${url.split('?', 1)[0]}`,
    requireReady() {
      if (url === '')
        throw new ServiceError('geocode_unconfigured', { reason: 'the address of the provider is missing' });
      if (key === '') throw new ServiceError('geocode_unconfigured', { reason: 'the credential is missing' });
    },
    async locate(address, { deadline, signal }): Promise<TierAnswer> {
      const terms = (limitMs: number) => ({ limitMs: Math.min(limitMs, deadline - now()), signal });
      try {
        return await primary.locate(address, terms(primaryLimitMs)).catch((error: unknown) => {
          if (!(error instanceof TimedOut) || fallbackUrl === null) throw error;
          return locateByCensus(fallbackUrl, address, terms(fallbackLimitMs));
        });
      } catch (error) {
        throw asServiceError(error);
      }
    },
  };
}
