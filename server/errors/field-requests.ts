import type { ErrorKind } from './error-kind.ts';

/** Error codes of field requests. */
export const FIELD_REQUEST_ERRORS = {
  invalid_payload: {
    status: 422,
    message: 'The request has {count}: {first}',
    retryable: false,
    meaning:
      'Field requests: malformed JSON, an unknown key, a missing one or a value of the wrong type or size. `errors` lists at most 50 and all unknown keys as `{loc, msg, type}`; what was sent is not echoed.',
    example: { count: '1 fault', first: '`description`: Field required' },
    exampleContext: { errors: [{ loc: ['description'], msg: 'Field required', type: 'missing' }] },
    origin: 'spec',
  },
  context_blob_too_large: {
    status: 422,
    message:
      '`context_blob` has {bytes} bytes of UTF-8 and may have {limit}: keep it yourself and send a reference to it.',
    retryable: false,
    meaning: 'Bytes of UTF-8 are counted, not characters.',
    example: { bytes: 8_193, limit: 8_192 },
    origin: 'spec',
  },
  location_out_of_bounds: {
    status: 422,
    message:
      '`{path}` lies outside the United States{where}: expected lat 18 to 72 with lng -180 to -65, or lat 51 to 54 with lng 172 to below 180{hint}.',
    retryable: false,
    meaning:
      'An example location, or a position of its polygon, lies outside both supported regions; a swapped pair is named. `index` says which location.',
    example: {
      path: 'example_locations[0]',
      where: ' (lat -68.77, lng 44.8)',
      hint: '; lat and lng seem to be swapped',
    },
    exampleContext: { index: 0 },
    origin: 'spec',
  },
  location_unresolved: {
    status: 422,
    message: '`{path}` could not be resolved: {why}.',
    retryable: false,
    meaning:
      'The address of an example location has no plausible match, several that fit alike (`candidates`, at most 3), or its only match lies in another city than it names. `index` says which location.',
    example: { path: 'example_locations[0].address', why: 'nothing similar enough to it is known' },
    exampleContext: { index: 0, candidates: [] },
    origin: 'spec',
  },
  field_request_not_found: {
    status: 404,
    message: 'There is no such field request: POST /v1/field-requests files one.',
    retryable: false,
    meaning: 'Unknown, or filed by another account.',
    origin: 'spec',
  },
  field_request_ended: {
    status: 409,
    message: 'The field request has ended as {status} and cannot be withdrawn any more: there is nothing left to stop.',
    retryable: false,
    meaning: 'It ended before it was withdrawn. What became of it is read by its id.',
    example: { status: 'live' },
    origin: 'plat',
  },
  field_requests_limited: {
    status: 429,
    message:
      '{limit} field requests of this account have not ended, and its plan allows no more: withdraw one, or wait until one has ended.',
    retryable: false,
    meaning:
      'Nothing was filed, and time alone may not help: requests end when they are answered, built, refused or withdrawn (DELETE /v1/field-requests/{request_id}). docs/plans.md says how many a plan allows. Replays under an `idempotency_key` are never refused for it.',
    example: { limit: 20 },
    origin: 'plat',
  },
  field_requests_unavailable: {
    status: 503,
    message: 'Field requests can be neither filed nor read now, because their store does not answer: try again.',
    retryable: true,
    retryAfter: 2,
    meaning: 'The state store cannot be reached. Nothing was filed; send the same request with the same key again.',
    origin: 'spec',
  },
} as const satisfies Record<string, ErrorKind>;
