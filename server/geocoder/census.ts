import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ServiceError } from '../errors/registry.ts';
import { type ExchangeTerms, getJson } from '../upstream/exchange.ts';
import { distinct } from './distinct.ts';
import type { TierAnswer, TierMatch } from './tier.ts';

/** Milliseconds the fallback may take (a limit of the interface). */
export const FALLBACK_LIMIT_MS = 2_500;

const SOURCE = 'US Census Bureau MAF/TIGER address ranges';

const Reply = Compile(
  Type.Object({
    result: Type.Object({
      addressMatches: Type.Array(
        Type.Object({
          matchedAddress: Type.String({ maxLength: 512 }),
          coordinates: Type.Object({
            x: Type.Number({ minimum: -180, maximum: 180 }),
            y: Type.Number({ minimum: -90, maximum: 90 }),
          }),
          addressComponents: Type.Optional(
            Type.Object({ city: Type.Optional(Type.String()), state: Type.Optional(Type.String()) }),
          ),
        }),
        { maxItems: 1_000 },
      ),
    }),
  }),
);

/**
 * Resolves an address with the US Census geocoder: `GET …/locations/onelineaddress` with `benchmark` and `format=json`
 * (Geocoding Services Web API, Census Bureau). It interpolates along address ranges and gives no similarity.
 * @param url without query.
 * @throws ServiceError geocode_upstream_error; TimedOut, Dropped; AbortError.
 */
export async function locateByCensus(url: string, address: string, terms: ExchangeTerms): Promise<TierAnswer> {
  const target = new URL(url);
  target.searchParams.set('address', address);
  target.searchParams.set('benchmark', 'Public_AR_Current');
  target.searchParams.set('format', 'json');
  const { status, body } = await getJson(target, terms);
  if (status !== 200) throw new ServiceError('geocode_upstream_error', { reason: `it answered with status ${status}` });
  if (!Reply.Check(body))
    throw new ServiceError('geocode_upstream_error', { reason: 'its answer is not of its protocol' });
  const matches = body.result.addressMatches.map((match): TierMatch => {
    const state = match.addressComponents?.state?.trim().toUpperCase() ?? '';
    return {
      lng: match.coordinates.x,
      lat: match.coordinates.y,
      similarity: null,
      accuracyType: 'range_interpolation',
      matchType: null,
      normalizedAddress: match.matchedAddress.trim() || null,
      source: SOURCE,
      city: match.addressComponents?.city?.trim() || null,
      state: /^[A-Z]{2}$/.test(state) ? state : null,
    };
  });
  return { provider: 'census', matches: distinct(matches), city: null };
}
