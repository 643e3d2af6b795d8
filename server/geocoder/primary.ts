import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { AccuracyType } from '../../query/geocode/match.ts';
import { ServiceError } from '../errors/registry.ts';
import { type ExchangeTerms, getJson } from '../upstream/exchange.ts';
import { distinct } from './distinct.ts';
import type { TierAnswer, TierMatch } from './tier.ts';

/** Milliseconds the primary provider may take (a limit of the interface). */
export const PRIMARY_LIMIT_MS = 3_000;

/** Results to ask for: the best one, and others that lookup may offer as candidates. */
const RESULTS = 5;

const ACCURACY_TYPES = [
  'rooftop',
  'nearest_rooftop_match',
  'point',
  'range_interpolation',
  'intersection',
  'street_center',
  'place',
  'county',
  'state',
] as const satisfies readonly AccuracyType[];

const text = (maxLength = 512) => Type.Union([Type.String({ maxLength }), Type.Null()]);
const Components = Type.Object({
  city: Type.Optional(text()),
  state: Type.Optional(text()),
  country: Type.Optional(text()),
});
const Reply = Compile(
  Type.Object({
    input: Type.Optional(Type.Object({ address_components: Type.Optional(Components) })),
    results: Type.Array(
      Type.Object({
        location: Type.Object({
          lat: Type.Number({ minimum: -90, maximum: 90 }),
          lng: Type.Number({ minimum: -180, maximum: 180 }),
        }),
        accuracy: Type.Number({ minimum: 0, maximum: 1 }),
        accuracy_type: Type.Union(ACCURACY_TYPES.map(name => Type.Literal(name))),
        match_type: Type.Optional(text()),
        formatted_address: text(),
        source: Type.Optional(text()),
        address_components: Type.Optional(Components),
      }),
      { maxItems: 100 },
    ),
  }),
);

const named = (value: string | null | undefined) => value?.trim() || null;
const codeOf = (state: string | null | undefined) => {
  const code = state?.trim().toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) ? code : null;
};
const US = new Set(['US', 'USA', 'UNITED STATES']);

/** Whether a result lies in the United States: by its country, or by its state when it names no country. */
function isDomestic({ country, state }: Static<typeof Components> = {}): boolean {
  const name = named(country);
  return name === null ? codeOf(state) !== null : US.has(name.toUpperCase());
}

/** The error for a refusing status. The body is read only to tell two cases of 403 apart, and is never repeated. */
function refusal(status: number, body: unknown): ServiceError {
  const said = JSON.stringify(body ?? null).slice(0, 2_000);
  if (status === 401 || (status === 403 && /api[ _-]?key|credential|token/i.test(said)))
    return new ServiceError('geocode_unconfigured', { reason: 'the provider does not accept the credential' });
  if (status === 402 || status === 429)
    return new ServiceError('geocode_forbidden', { reason: 'its usage cap is reached' });
  if (status === 403) return new ServiceError('geocode_forbidden', { reason: 'an entitlement is missing' });
  return new ServiceError('geocode_upstream_error', { reason: `it answered with status ${status}` });
}

/** The primary provider: addresses to places over its JSON protocol (docs/geocode-providers.md). */
interface Primary {
  /** @throws ServiceError; TimedOut, Dropped; AbortError. */
  locate(address: string, terms: ExchangeTerms): Promise<TierAnswer>;
}

/**
 * Makes the primary provider.
 * @param url of the provider, without query.
 * @param key sent as the parameter `api_key`; therefore no URL of it is ever logged or shown.
 * @throws its methods throw a ServiceError for what the provider refused, or geocode_upstream_error.
 */
export function createPrimary(url: string, key: string): Primary {
  return {
    async locate(address, terms) {
      const target = new URL(url);
      target.searchParams.set('q', address);
      target.searchParams.set('limit', String(RESULTS));
      target.searchParams.set('api_key', key);
      const { status, body } = await getJson(target, terms);
      // 422: the provider could not read the text as an address. That is its way to say "no match".
      if (status === 422) return { provider: 'commercial', matches: [], city: null };
      if (status !== 200) throw refusal(status, body);
      if (!Reply.Check(body))
        throw new ServiceError('geocode_upstream_error', { reason: 'its answer is not of its protocol' });
      const matches = body.results
        .filter(result => isDomestic(result.address_components))
        .map(
          (result): TierMatch => ({
            lng: result.location.lng,
            lat: result.location.lat,
            similarity: result.accuracy,
            accuracyType: result.accuracy_type as AccuracyType,
            matchType: named(result.match_type),
            normalizedAddress: named(result.formatted_address),
            source: named(result.source),
            city: named(result.address_components?.city),
            state: codeOf(result.address_components?.state),
          }),
        );
      const city = named(body.input?.address_components?.city);
      return { provider: 'commercial', matches: distinct(matches), city };
    },
  };
}
