import type { ErrorKind } from './error-kind.ts';

/** Error codes of what is no request that a route could answer. */
export const HTTP_ERRORS = {
  malformed_request: {
    status: 400,
    message: 'The HTTP request itself is malformed: {reason}.',
    retryable: false,
    meaning: 'The request could not be read as HTTP/1.1.',
    example: { reason: 'it is not HTTP/1.1' },
    origin: 'plat',
  },
  not_found: {
    status: 404,
    message: 'There is nothing at this address: GET /v1/openapi.json describes every operation, /v1/docs shows them.',
    retryable: false,
    meaning: 'Unknown route.',
    origin: 'plat',
  },
  method_not_allowed: {
    status: 405,
    message: 'This endpoint answers only {allow}.',
    retryable: false,
    meaning: 'The path exists under other methods; the `Allow` header lists them.',
    example: { allow: 'POST' },
    origin: 'plat',
  },
  not_acceptable: {
    status: 406,
    message: 'This endpoint answers in none of the formats that `Accept` takes: it has {accepted}.',
    retryable: false,
    meaning:
      '`Accept` takes no format of an endpoint that has several; `accepted` lists them. Nothing was computed or charged. Other endpoints do not look at `Accept`.',
    example: { accepted: 'application/json, text/csv' },
    exampleContext: { accepted: ['application/json', 'text/csv'] },
    origin: 'plat',
  },
  request_timeout: {
    status: 408,
    message: 'The request was not sent completely in time.',
    retryable: true,
    retryAfter: 1,
    meaning: 'Headers or body came in slower than PLAT_REQUEST_TIMEOUT_MS allows. The connection is closed.',
    origin: 'plat',
  },
  body_too_large: {
    status: 413,
    message:
      'The body is larger than {limit} bytes: send a smaller one (fewer items, simpler areas), in several requests if need be.',
    retryable: false,
    meaning: 'The body passes PLAT_BODY_LIMIT.',
    example: { limit: 1_048_576 },
    origin: 'plat',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body must be plain JSON: send `Content-Type: application/json` and no Content-Encoding.',
    retryable: false,
    meaning: 'Missing or other content type, or a compressed body.',
    origin: 'plat',
  },
  headers_too_large: {
    status: 431,
    message: 'The request headers are larger than this server reads.',
    retryable: false,
    meaning: 'Line and headers together pass 16 KiB.',
    origin: 'plat',
  },
  worker_stopped: {
    status: 503,
    message: 'The worker that was answering stopped before it was done; another one takes its place: try again.',
    retryable: true,
    retryAfter: 1,
    meaning:
      'A worker thread ended while it had begun with the request, for want of memory or by a fault. Nothing is charged. In a batch it is the entry of a location. Where it comes again for one request only, that request is the cause: tell the operator its X-Request-ID.',
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
