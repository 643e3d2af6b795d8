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
} as const satisfies Record<string, ErrorKind>;
