import type { ErrorKind } from './error-kind.ts';

/** Error codes of runs. */
export const RUN_ERRORS = {
  run_not_found: {
    status: 404,
    message: 'There is no such run: submit one with POST /v1/runs.',
    retryable: false,
    meaning: "Unknown, another account's, or expired 30 days after it was submitted.",
    origin: 'spec',
  },
  run_not_ready: {
    status: 409,
    message: 'The run has not ended: read GET /v1/runs/{run_id} until `status` is done.',
    retryable: true,
    retryAfter: 2,
    meaning: 'Its files were asked for while it was queued or running.',
    example: { run_id: 'run_…' },
    origin: 'spec',
  },
  run_failed: {
    status: 409,
    message: 'The run has failed and has no files: `error` of the run says why; submit it again.',
    retryable: false,
    meaning: 'Its files were asked for after it had failed. What it had reserved was given back.',
    origin: 'spec',
  },
  run_interrupted: {
    status: 503,
    message: 'The server that worked on the run was stopped: submit it again.',
    retryable: true,
    retryAfter: 1,
    meaning: 'Only as `error` of a run. Its worker was restarted, killed or told to cancel it; nothing was charged.',
    origin: 'spec',
  },
} as const satisfies Record<string, ErrorKind>;

/** Sent as a last frame when a stream has been open for as long as one may be. */
export const EVENTS_TIMEOUT = {
  detail: {
    error: 'events_timeout',
    message: 'The stream was open for 15 minutes: open it again, or read the run.',
    retryable: true,
  },
} as const;
