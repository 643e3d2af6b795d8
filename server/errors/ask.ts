import type { ErrorKind } from './error-kind.ts';

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
  ask_upstream_rate_limited: {
    status: 429,
    message: 'The language model takes no more requests now: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 'when the model says, otherwise 5 s',
    meaning:
      'Only with a language model (PLAT_ASK_MODEL): it answered 429. Its own Retry-After is passed on. Nothing is charged.',
    origin: 'spec',
  },
  ask_upstream_unreachable: {
    status: 502,
    message: 'The language model cannot be reached: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 'when the model says, otherwise 5 s',
    meaning: 'Only with a language model: there was no connection to it, twice. Nothing is charged.',
    origin: 'spec',
  },
  ask_upstream_error: {
    status: 502,
    message: 'The language model failed; `retryable` says whether asking again may help.',
    retryable: false,
    retryAfter: 'where `retryable` is true',
    meaning:
      'Only with a language model. `retryable` is true where it was overloaded, failed or answered what cannot be read, twice; false where it refused the request itself (its key, name or address is wrong): the log of the server says more. Nothing is charged.',
    exampleContext: { retryable: true },
    origin: 'spec',
  },
  ask_answer_incomplete: {
    status: 502,
    message: 'The answer was not written to its end: ask again.',
    retryable: true,
    retryAfter: 1,
    meaning:
      'Only with a language model: it ran out of tokens, or its answer broke off. What a stream has sent of it is to be discarded. The credits are given back.',
    origin: 'spec',
  },
  ask_question_refused: {
    status: 422,
    message:
      'The language model declines this question: put it in other words, or ask for the fields with POST /v1/fetch.',
    retryable: false,
    meaning: 'Only with a language model: asking the same again is declined again. The credits are given back.',
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
      'The site could not be screened, so nothing is known about it ({reason}): register it again with POST /v1/sites.',
    retryable: false,
    meaning: 'GET /v1/sites/{site_id} says `failed`. Nothing was charged.',
    example: { reason: 'no release is installed' },
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
