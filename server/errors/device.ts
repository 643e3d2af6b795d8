import type { ErrorKind } from './error-kind.ts';

/** Error codes of logging in by device flow (RFC 8628, 3.5). */
export const DEVICE_ERRORS = {
  authorization_pending: {
    status: 400,
    message: 'Nobody has approved the code yet: poll again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 'after the interval',
    meaning: 'Only POST /v1/mcp/device/poll: go on polling.',
    origin: 'plat',
  },
  slow_down: {
    status: 400,
    message: 'Polled too early: poll again after the Retry-After seconds, which have become more.',
    retryable: true,
    retryAfter: 'after the longer interval',
    meaning: 'Only POST /v1/mcp/device/poll: each poll before its time makes the interval five seconds longer.',
    origin: 'plat',
  },
  expired_token: {
    status: 400,
    message: 'This device code is unknown, used or older than 15 minutes: start again.',
    retryable: false,
    meaning: 'Only POST /v1/mcp/device/poll. A code gives one token, to the first poll after the approval.',
    origin: 'plat',
  },
  access_denied: {
    status: 400,
    message: 'The login was refused on the approval page.',
    retryable: false,
    meaning: 'Only POST /v1/mcp/device/poll.',
    origin: 'plat',
  },
  device_logins_limited: {
    status: 429,
    message:
      'More than {limit} logins were begun from this address in a quarter of an hour: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 'when the quarter is over',
    meaning: 'Only POST /v1/mcp/device/start. Nothing was begun.',
    example: { limit: 20 },
    origin: 'plat',
  },
  device_login_unavailable: {
    status: 503,
    message: 'There are too many logins at once: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 60,
    meaning:
      'Only POST /v1/mcp/device/start: more logins were begun in this quarter of an hour than the service takes.',
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
