import type { ErrorKind } from './error-kind.ts';

/** Error codes of watches. */
export const WATCH_ERRORS = {
  watch_not_found: {
    status: 404,
    message: 'There is no such watch: GET /v1/watches lists those of the account.',
    retryable: false,
    meaning: "Unknown, another account's, or deleted.",
    origin: 'plat',
  },
  watches_too_many: {
    status: 409,
    message: 'The account has {most} watches, as many as plan {plan} allows: delete one first.',
    retryable: false,
    meaning: 'The account has as many watches as its plan allows; `max` is that number. Nothing was stored.',
    example: { most: 2, plan: 'free' },
    exampleContext: { max: 2 },
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
