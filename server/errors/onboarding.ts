import type { ErrorKind } from './error-kind.ts';

/** Error codes of setting an account up for an agent. */
export const ONBOARDING_ERRORS = {
  terms_outdated: {
    status: 409,
    message: 'These are not the terms in force, which are version {version}: show those, and accept them.',
    retryable: false,
    meaning:
      'The version or digest is not that of GET /v1/onboarding/terms. `terms_version` and `terms_sha256` are those in force. Nothing was recorded.',
    example: { version: '2026-11-24' },
    exampleContext: { terms_version: '2026-11-24', terms_sha256: '0f…' },
    origin: 'plat',
  },
  connect_code_not_found: {
    status: 404,
    message: 'There is no such connect code: get a new one where you accepted the terms.',
    retryable: false,
    meaning: 'Never issued, or expired so long ago that it was forgotten.',
    origin: 'plat',
  },
  connect_code_used: {
    status: 409,
    message: 'This connect code was exchanged already: get a new one where you accepted the terms.',
    retryable: false,
    meaning: 'A code works once. A second use shows no token, even when the first answer was lost.',
    origin: 'plat',
  },
  connect_code_expired: {
    status: 410,
    message: 'This connect code is older than 15 minutes: get a new one where you accepted the terms.',
    retryable: false,
    meaning: 'It was never exchanged. A day later it is `connect_code_not_found`.',
    origin: 'plat',
  },
  onboarding_attempt_not_found: {
    status: 404,
    message: 'There is no such attempt for this token or session.',
    retryable: false,
    meaning:
      "Unknown, forgotten after 30 days, another account's; or the API token is not the one that the attempt's code was exchanged for.",
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
