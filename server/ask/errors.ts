import type { ErrorKind } from '../error-kind.ts';

/** Codes of questions in plain language. */
export const ASK_ERRORS = {
  ask_busy: {
    status: 429,
    message: 'Too many questions are being answered: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 3,
    meaning: 'Overload. Nothing was planned, fetched or charged.',
    origin: 'spec',
  },
  ask_timeout: {
    status: 504,
    message: 'The question could not be answered in time: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 5,
    meaning: 'Planning took more than 20 s, writing more than 30 s, or the whole more than 110 s. Nothing is charged.',
    origin: 'spec',
  },
  site_not_ready: {
    status: 409,
    message: 'The site is still being screened: ask again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 2,
    meaning: 'GET /v1/sites/{site_id} says `building`. Nothing was charged.',
    origin: 'plat',
  },
  site_failed: {
    status: 409,
    message:
      'The site could not be screened, so nothing is known of it ({reason}): register it again with POST /v1/sites.',
    retryable: false,
    meaning: 'GET /v1/sites/{site_id} says `failed`. Nothing was charged.',
    example: { reason: 'no release is installed' },
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
