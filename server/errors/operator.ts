import type { ErrorKind } from './error-kind.ts';

/** Error codes of what only operators see. */
export const OPERATOR_ERRORS = {
  operator_only: {
    status: 403,
    message:
      'Only operators of this installation see this: whoever runs it adds one with `plat account operator EMAIL`.',
    retryable: false,
    meaning: 'The account that signed in is not one of an operator.',
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
