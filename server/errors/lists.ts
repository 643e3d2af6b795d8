import type { ErrorKind } from './error-kind.ts';

/** Error codes of lists that come in pages. */
export const LIST_ERRORS = {
  list_cursor_invalid: {
    status: 422,
    message: 'The cursor cannot be used: {reason}. Begin again without it.',
    retryable: false,
    meaning:
      'Cursors of GET /v1/runs, GET /v1/sites and GET /v1/field-requests live one hour and belong to one account and to one list.',
    example: { reason: 'it has expired' },
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
