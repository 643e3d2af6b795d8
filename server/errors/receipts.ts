import type { ErrorKind } from './error-kind.ts';

/** Error codes of receipts. */
export const RECEIPT_ERRORS = {
  receipt_not_found: {
    status: 404,
    message: 'There is no such receipt: ask again with the header X-Service-Receipt: 1.',
    retryable: false,
    meaning:
      'Unknown, made for another account, or older than 30 days. The oldest ones of an account go sooner where all of them together pass 64 MB.',
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
