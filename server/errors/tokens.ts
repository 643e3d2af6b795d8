import type { ErrorKind } from './error-kind.ts';

/** Error codes of an account's API tokens. */
export const TOKEN_ERRORS = {
  token_not_found: {
    status: 404,
    message: 'This account has no API token of that id: GET /v1/users/me/tokens lists them.',
    retryable: false,
    meaning: 'An unknown id, or the id of a token of another account.',
    origin: 'plat',
  },
  token_not_active: {
    status: 409,
    message: 'The token is {status}: only an active one can be revealed. Create a new one.',
    retryable: false,
    meaning: 'The token to reveal has expired or was revoked.',
    example: { status: 'revoked' },
    origin: 'plat',
  },
  token_not_recoverable: {
    status: 409,
    message:
      'The secret that signed this token has been changed, so it cannot be shown again and opens nothing: create a new one.',
    retryable: false,
    meaning: 'The token was issued under another PLAT_TOKEN_SECRET; it is listed with `recoverable` false.',
    origin: 'plat',
  },
  grant_not_found: {
    status: 404,
    message: 'This account let in no agent, device or token of that id: GET /v1/users/me/grants lists them.',
    retryable: false,
    meaning: 'An unknown id, or the id of a grant of another account.',
    origin: 'plat',
  },
  tokens_too_many: {
    status: 409,
    message: 'This account has {limit} active tokens already: revoke one first.',
    retryable: false,
    meaning: 'An account has at most so many active API tokens.',
    example: { limit: 100 },
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
