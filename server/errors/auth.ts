import type { ErrorKind } from './error-kind.ts';

/** Error codes of who is asking. */
export const AUTH_ERRORS = {
  auth_missing: {
    status: 401,
    message: 'This endpoint needs a token: send `Authorization: Bearer <token>`.',
    retryable: false,
    meaning: 'There is no Authorization header. Judged before the body is read.',
    origin: 'spec',
  },
  auth_malformed: {
    status: 401,
    message: 'The Authorization header is not `Bearer <token>` with one token.',
    retryable: false,
    meaning: 'Another scheme, an empty token, a second token or a second header. `Bearer` is matched without case.',
    origin: 'spec',
  },
  auth_invalid: {
    status: 401,
    message: 'The token is unknown, revoked, expired or not signed by this service: use another one.',
    retryable: false,
    meaning:
      'Signature, issuer, audience or lifetime do not hold, or the token store does not know it or has revoked it. Or a guest sent it, whose hour is over or who may not read what was asked for. Of a session: it is no ID token of the configured provider for this service.',
    origin: 'spec',
  },
  auth_expired: {
    status: 401,
    message: 'The session has expired: sign in again, or refresh it at the identity provider.',
    retryable: false,
    meaning: 'A genuine ID token whose time is over. An expired API token is `auth_invalid`.',
    origin: 'spec',
  },
  auth_revoked: {
    status: 401,
    message: 'This session was ended: sign in again.',
    retryable: false,
    meaning:
      'Its owner signed out, or the ID token was issued before a password reset, or before its owner or an operator ended all sessions of the account, or deleted it.',
    origin: 'spec',
  },
  provider_not_allowed: {
    status: 403,
    message: 'Signing in by {provider} is not allowed here; allowed: {allowed}.',
    retryable: false,
    meaning:
      'The ID token says that its owner signed in in a way that is not in PLAT_OIDC_PROVIDERS, or does not say how.',
    example: { provider: 'github.com', allowed: 'google.com, password' },
    origin: 'spec',
  },
  email_unverified: {
    status: 403,
    message:
      'The e-mail address of this sign-in is not verified: verify it at the identity provider, then sign in again.',
    retryable: false,
    meaning: 'The ID token names no e-mail address, or does not say that it was verified.',
    origin: 'spec',
  },
  user_disabled: {
    status: 403,
    message: 'This account is disabled: ask whoever runs this service.',
    retryable: false,
    meaning:
      'An operator disabled the account (`plat account disable`). Its sessions and API tokens are refused alike.',
    origin: 'spec',
  },
  auth_method_not_allowed: {
    status: 403,
    message: 'This needs a browser session: sign in and send the ID token. An API token may only revoke itself.',
    retryable: false,
    meaning: 'An API token on a route of tokens or settings. Judged before the body is read.',
    origin: 'spec',
  },
  account_store_misconfigured: {
    status: 500,
    message: 'Sign-in is configured wrongly on this server: tell whoever runs it. API tokens work.',
    retryable: false,
    meaning:
      'The address in PLAT_OIDC_ISSUER does not answer as the provider of that name; the log of the server says what it found. Only sessions get this error.',
    origin: 'spec',
  },
  sign_in_unavailable: {
    status: 503,
    message: 'The identity provider does not answer, so the session cannot be checked: try again.',
    retryable: true,
    retryAfter: 5,
    meaning: 'The keys of the provider could not be fetched and none are held. Only sessions meet it.',
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;

/** Codes of every endpoint that needs a token or a session. */
export const AUTH_CODES = [
  'auth_missing',
  'auth_malformed',
  'auth_invalid',
  'auth_expired',
  'auth_revoked',
  'provider_not_allowed',
  'email_unverified',
  'user_disabled',
  'account_store_misconfigured',
  'sign_in_unavailable',
] as const satisfies readonly (keyof typeof AUTH_ERRORS)[];
