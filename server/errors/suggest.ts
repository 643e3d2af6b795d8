import type { ErrorKind } from './error-kind.ts';

/** Error codes of suggestions. */
export const SUGGEST_ERRORS = {
  suggest_unavailable: {
    status: 503,
    message: 'Suggestions cannot be made now: a file of the release cannot be read, or the time was up.',
    retryable: true,
    retryAfter: 3,
    meaning: 'The text is not repeated. Addresses and coordinates can be asked for as a whole.',
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
