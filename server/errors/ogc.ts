import type { ErrorKind } from './error-kind.ts';

/** Error codes of OGC API. */
export const OGC_ERRORS = {
  ogc_invalid_request: {
    status: 400,
    message: '{problem}',
    retryable: false,
    meaning:
      'A parameter that the resource does not take, a value that is none of its values, a filter that is no CQL2 or asks for a property or function that is not there, or a cursor that is not of this request. The message says which and what was expected.',
    example: { problem: 'The parameter `limit` must be a whole number from 1 to 1000.' },
    origin: 'plat',
  },
  ogc_not_found: {
    status: 404,
    message: 'There is no such {what}. {advice}',
    retryable: false,
    meaning: 'The release has no collection, feature or tile set of that name.',
    example: { what: 'collection', advice: 'GET /v1/ogc/collections lists those that there are.' },
    origin: 'plat',
  },
  ogc_unavailable: {
    status: 503,
    message: 'Features cannot be read now: {reason}.',
    retryable: true,
    retryAfter: 3,
    meaning:
      'All workers are busy, a file of the release cannot be read, or nothing was found before the time was up: narrow `bbox` or `filter`.',
    example: { reason: 'all workers are busy and their queue is full' },
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
