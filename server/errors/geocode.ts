import type { ErrorKind } from './error-kind.ts';

/** Codes of resolving an address, on every endpoint that takes one. */
export const GEOCODE_ERRORS = {
  address_form_unsupported: {
    status: 422,
    message: 'The address is {form}, which names no place on a street: {remedy}.',
    retryable: false,
    meaning:
      'A PO box, rural, highway contract or carrier route, APO, FPO, DPO or general delivery, told from the text without any lookup. Of a field request `index` says which location. Of a street address with a box the message names the street part, which can be asked for.',
    example: { form: 'a post office box', remedy: 'send its street part alone, 73 HARLOW ST, BANGOR, ME 04401' },
    origin: 'spec',
  },
  address_not_found: {
    status: 404,
    message: 'The address cannot be resolved: {why}.',
    retryable: false,
    meaning:
      'Nothing with a similarity of at least 0.8 is known, the address lies outside the United States, or it fits several places equally well (POST /v1/lookup lists those). The message names the nearest known numbers of the street, or cities that have addresses, where the geocoder of the release tells them; then `nearest_addresses` has those numbers with their street, the nearest first, or `cities` the cities.',
    example: { why: 'its number is not known on HARLOW ST, BANGOR, ME; 69, 73 and 81 are the nearest that are' },
    exampleContext: {
      nearest_addresses: ['73 HARLOW ST, BANGOR, ME', '69 HARLOW ST, BANGOR, ME', '81 HARLOW ST, BANGOR, ME'],
    },
    origin: 'spec',
  },
  address_too_coarse: {
    status: 404,
    message: 'Only the ZIP code, city, county or state of the address is known: add a house number and street.',
    retryable: false,
    meaning:
      'The address names only an area, or its best match is the centroid of one, which is no answer about a place.',
    origin: 'spec',
  },
  geocode_busy: {
    status: 429,
    message: 'Too many addresses are being resolved: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 2,
    meaning: 'Overload. Nothing was looked up or charged.',
    origin: 'spec',
  },
  geocode_upstream_error: {
    status: 502,
    message: 'The geocoder failed: {reason}.',
    retryable: true,
    retryAfter: 2,
    meaning: 'It answered with a server error, dropped the connection or sent what its protocol does not allow.',
    example: { reason: 'it answered with status 500' },
    origin: 'spec',
  },
  geocode_timeout: {
    status: 504,
    message: 'No geocoder answered in time: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 5,
    meaning: 'The primary geocoder and the fallback, where there is one, both took too long (3 s and 2.5 s).',
    origin: 'spec',
  },
  geocode_forbidden: {
    status: 503,
    message: 'The geocoder refuses to answer this installation now: {reason}.',
    retryable: true,
    retryAfter: 3600,
    meaning: 'A usage cap is reached or an entitlement is missing at the provider; not a bad key.',
    example: { reason: 'its usage cap is reached' },
    origin: 'spec',
  },
  geocode_budget_exhausted: {
    status: 503,
    message:
      'The address lookups of this month are used up: try again much later, or ask by coordinates where they are taken.',
    retryable: true,
    retryAfter: 3600,
    meaning: 'PLAT_GEOCODE_BUDGET is spent over all servers. Raised before any lookup; nothing is charged.',
    origin: 'spec',
  },
  geocode_unconfigured: {
    status: 503,
    message:
      'No geocoder is configured here, so an address cannot be resolved: {reason}. Ask by coordinates where they are taken.',
    retryable: false,
    meaning:
      'The credential or address of the provider is missing or not accepted, or the release holds no layer that answers addresses. Nothing falls back.',
    example: { reason: 'the credential is missing' },
    origin: 'spec',
  },
} as const satisfies Record<string, ErrorKind>;
