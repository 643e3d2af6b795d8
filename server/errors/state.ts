import type { ErrorKind } from './error-kind.ts';

/** Error codes of the state store, on every endpoint that asks it. */
export const STATE_ERRORS = {
  state_unavailable: {
    status: 503,
    message: 'The state store does not answer, so nothing can be charged or looked up in it: try again.',
    retryable: true,
    retryAfter: 2,
    meaning:
      'The database of accounts, credits and stored results cannot be reached, is full or does not answer in time. Nothing is charged; the cause is in the log of the server. GET /readyz is not ready meanwhile.',
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
