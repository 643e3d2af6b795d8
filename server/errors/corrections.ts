import type { ErrorKind } from './error-kind.ts';

/** Error codes of corrections. */
export const CORRECTION_ERRORS = {
  corrections_limited: {
    status: 429,
    message: '{limit} corrections of this account wait to be reviewed, and no more may: wait until one is decided.',
    retryable: false,
    meaning: 'Nothing was filed, and time alone may not help: people review corrections.',
    example: { limit: 20 },
    origin: 'plat',
  },
  correction_not_found: {
    status: 404,
    message: 'There is no such correction: POST /v1/corrections files one.',
    retryable: false,
    meaning: 'Unknown, or filed by another account.',
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
