import type { ErrorKind } from './error-kind.ts';

/** Codes of lookup alone. */
export const LOOKUP_ERRORS = {
  resolve_coord_bounds: {
    status: 422,
    message:
      'The coordinate lat {lat}, lng {lng} is not in the United States: expected lat 18 to 72 with lng -180 to -65, or lat 51 to 54 with lng 172 to below 180{hint}.',
    retryable: false,
    meaning: 'The coordinate of a lookup lies outside both supported regions or has lat and lng swapped.',
    example: { lat: -68.77, lng: 44.8, hint: '; lat and lng seem to be swapped' },
    origin: 'spec',
  },
  resolve_invalid_input: {
    status: 422,
    message: 'The `input` of the lookup cannot be read: {why}.',
    retryable: false,
    meaning: 'The text is not of the `kind` it was sent as, or holds neither letter nor digit.',
    example: { why: 'it is not a `lat,lng` pair such as `44.80,-68.77`' },
    origin: 'spec',
  },
  resolve_busy: {
    status: 429,
    message: 'Too many lookups are running: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 3,
    meaning: 'Overload. Nothing is charged.',
    origin: 'spec',
  },
  resolve_timeout: {
    status: 504,
    message: 'The lookup could not be answered in time: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 5,
    meaning: 'The geocoder, or the lookup as a whole, took too long. Values that are late alone are null instead.',
    origin: 'spec',
  },
} as const satisfies Record<string, ErrorKind>;
