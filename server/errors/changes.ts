import type { ErrorKind } from './error-kind.ts';

/** Error codes of comparing releases. */
export const CHANGES_ERRORS = {
  release_not_kept: {
    status: 404,
    message: 'Release {release} is not kept: it never was, or it was pruned. {kept}.',
    retryable: false,
    meaning:
      'A release answers, and what changed since it can be told, as long as it is kept; `kept` lists those that are, the latest last. Where none is old enough for GET /v1/changes, take all data anew.',
    example: { release: '20260101-ab12cd34', kept: 'Kept are 20261101-0f1e2d3c and 20261120-ab12cd34' },
    exampleContext: { kept: ['20261101-0f1e2d3c', '20261120-ab12cd34'] },
    origin: 'plat',
  },
  changes_cursor_invalid: {
    status: 422,
    message: 'The cursor cannot be used: {reason}. Begin again without it.',
    retryable: false,
    meaning:
      'Cursors live one hour and belong to one account and to the `since`, `state` and `fields` they were made for.',
    example: { reason: 'it has expired' },
    origin: 'plat',
  },
  changes_unavailable: {
    status: 503,
    message: 'Releases cannot be compared now: {reason}.',
    retryable: true,
    retryAfter: 3,
    meaning:
      'All workers are busy, a file of a release cannot be read, one piece of the work took longer than a minute, or no cursor secret is configured.',
    example: { reason: 'all workers are busy and their queue is full' },
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
