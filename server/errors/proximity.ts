import type { ErrorKind } from './error-kind.ts';

/** Codes of proximity. */
export const PROXIMITY_ERRORS = {
  invalid_request: {
    status: 422,
    message: 'The request has {count}: {first}',
    retryable: false,
    meaning:
      'Proximity: malformed JSON, an unknown key or operation, a missing key, a value of the wrong type or out of range, half a locator, or what is not answered in Canada. Exports: `search` and `upload_id`, or neither. Watches: not exactly one of `site_id`, `parcel_ids` and `search`, or a webhook that may not be called. `errors` lists at most 50 and all unknown keys as `{loc, msg, type}`; what was sent is not echoed. Nothing was computed or charged.',
    example: { count: '1 fault', first: '`max_minutes`: Field required' },
    exampleContext: { errors: [{ loc: ['max_minutes'], msg: 'Field required', type: 'missing' }] },
    origin: 'spec',
  },
  unresolvable_input: {
    status: 422,
    message: 'Not one of `{role}` could be placed on a road: {first}',
    retryable: false,
    meaning:
      'Proximity: every locator of a role that is needed failed. `unresolved` lists them as `{role, index, id?, error, message}`; of one address that is not known `nearest_addresses` or `cities` say what is, as with `address_not_found`. Nothing was charged.',
    example: { role: 'origin', first: 'no road that cars may drive on lies within 1 km' },
    exampleContext: {
      unresolved: [
        {
          role: 'origin',
          index: 0,
          error: 'no_road',
          message: 'no road that cars may drive on lies within 1 km',
        },
      ],
    },
    origin: 'spec',
  },
  unknown_set: {
    status: 422,
    message:
      'There is no set {name}: expected one of @airports, @substations, @power_plants, @rail, @ports, @urban_areas, or a list of locators.',
    retryable: false,
    meaning:
      'Proximity: `candidates` or `to` names a set that there is not. `suggestions` gives the nearest sets of those that look like names. Nothing was charged.',
    example: { name: '"@airfields" (nearest: `@airports`)' },
    exampleContext: { suggestions: [{ name: '@airfields', nearest: ['@airports'] }] },
    origin: 'spec',
  },
  shed_too_large: {
    status: 422,
    message: 'The labor shed has more than {max} tracts: narrow the minutes.',
    retryable: false,
    meaning: 'Proximity labor_shed: the annulus holds more than 3,000 tracts. Nothing is charged.',
    example: { max: 3_000 },
    origin: 'spec',
  },
  proximity_request_exceeds_budget_share: {
    status: 422,
    message: 'The request needs {calculations} driving calculations and one request may have {max}: split it.',
    retryable: false,
    meaning:
      'More than 3,500 driving calculations in one request, such as a matrix of 100 by 36. Nothing is computed; it is charged 1 credit.',
    example: { calculations: 10_000, max: 3_500 },
    exampleContext: { calculations: 10_000, max: 3_500 },
    origin: 'spec',
  },
  proximity_busy: {
    status: 429,
    message: 'Too many drive times are being calculated: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 5,
    meaning: 'Overload. Nothing was computed or charged.',
    origin: 'spec',
  },
  proximity_budget_exhausted: {
    status: 503,
    message: 'The driving calculations of this month are used up: try again much later.',
    retryable: true,
    retryAfter: 3600,
    meaning: 'PLAT_ROUTING_BUDGET is spent over all servers. Raised before the provider is asked; nothing is charged.',
    origin: 'spec',
  },
  proximity_data_unavailable: {
    status: 503,
    message: 'This cannot be answered from the data that is installed: {reason}.',
    retryable: true,
    retryAfter: 60,
    meaning:
      'The release has no road graph, or none that covers the place, or not the layer that a set or a labor shed is made of; or its file is damaged. `regions` says where there are roads. What the release lacks (roads, or a layer) is `retryable: false` without Retry-After. Nothing is charged.',
    example: { reason: 'no road graph of this release covers the place' },
    exampleContext: { regions: [{ place: 'synthetic', box: [-70.8, 43, -70.6, 43.2] }] },
    origin: 'spec',
  },
  proximity_unconfigured: {
    status: 503,
    message: 'The routing provider is not configured: {reason}.',
    retryable: false,
    meaning:
      'PLAT_ROUTING names a provider whose address, or the credential that it needs, is missing. The roads of the release do not stand in for it.',
    example: { reason: 'PLAT_ROUTING_URL is empty' },
    origin: 'spec',
  },
  upstream_transient: {
    status: 502,
    message: 'The routing provider failed for now: {reason}.',
    retryable: true,
    retryAfter: 5,
    meaning:
      'It was overloaded, dropped the connection or answered with 429, 502, 503 or 504, twice. Nothing is charged.',
    example: { reason: 'it answered with status 503' },
    origin: 'spec',
  },
  upstream_auth: {
    status: 502,
    message: 'The routing provider refuses this installation: {reason}.',
    retryable: false,
    meaning: 'It rejected the credential (401, 403) or the request (400, 404, 422). Nothing is charged.',
    example: { reason: 'it does not accept the credential' },
    origin: 'spec',
  },
  upstream_error: {
    status: 502,
    message: 'The routing provider failed: {reason}.',
    retryable: true,
    retryAfter: 30,
    meaning: 'Any other failure of it: another status, or an answer that is not of its protocol. Nothing is charged.',
    example: { reason: 'its answer is not of its protocol' },
    origin: 'spec',
  },
  proximity_deadline_exceeded: {
    status: 504,
    message: 'The answer was not ready within {seconds} seconds: ask for less at once.',
    retryable: true,
    retryAfter: 5,
    meaning: 'The deadline of proximity. Nothing is charged.',
    example: { seconds: 30 },
    origin: 'spec',
  },
} as const satisfies Record<string, ErrorKind>;
