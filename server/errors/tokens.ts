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
  scope_insufficient: {
    status: 403,
    message: 'This needs the scope {missing}, and the token has {scopes}: use one that has it.',
    retryable: false,
    meaning:
      'A token or an agent with fewer scopes: `read` for what costs nothing, `spend` for what costs credits, `write` for what stays. `required` lists those that are needed. Judged before the body is read; on /mcp with the challenge that lets an agent ask for more.',
    example: { missing: 'write', scopes: 'read, spend' },
    exampleContext: { required: ['spend', 'write'], scopes: ['read', 'spend'] },
    origin: 'plat',
  },
  token_budget_exhausted: {
    status: 402,
    message:
      'Credits needed: {required}; {remaining} of {limit} a day are left for this token. They are renewed at {resets}.',
    retryable: true,
    retryAfter: 'at `resets_at`, as an HTTP-date',
    meaning:
      "The day's budget of a token or an agent, which is beside the allowance of its account. Nothing was charged.",
    example: { required: 20, remaining: 5, limit: 200, resets: '2026-12-01T00:00:00.000Z' },
    exampleContext: {
      credits_required: 20,
      credits_a_day: 200,
      credits_remaining: 5,
      resets_at: '2026-12-01T00:00:00.000Z',
    },
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
