import type { ErrorKind } from './error-kind.ts';

/** Error codes of uploads and exports. */
export const EXPORT_ERRORS = {
  upload_invalid: {
    status: 422,
    message: 'Row {row} of the upload{column}: {problem}.',
    retryable: false,
    meaning:
      'The file cannot be read, a row names no place or two, ids repeat, or it is not in UTF-8. `row` counts rows from 1, without the line of names; `column` is null where the row as a whole is wrong. Nothing was stored.',
    example: { row: 7, column: ', column `custom_id`', problem: 'row 3 has the same id' },
    exampleContext: { row: 7, column: 'custom_id' },
    origin: 'plat',
  },
  upload_too_large: {
    status: 413,
    message: 'An upload may have {rows} rows and {megabytes} MB: send it in several.',
    retryable: false,
    meaning: 'The file has more rows or bytes. Nothing was stored.',
    example: { rows: 100_000, megabytes: 64 },
    origin: 'plat',
  },
  upload_type_unsupported: {
    status: 415,
    message: 'An upload is one of {types}, without Content-Encoding: send its Content-Type.',
    retryable: false,
    meaning: 'Missing or other content type, or a compressed body.',
    example: { types: 'text/csv, application/geo+json' },
    origin: 'plat',
  },
  upload_not_found: {
    status: 404,
    message: 'There is no such upload: send the file with POST /v1/uploads.',
    retryable: false,
    meaning: "Unknown, another account's, or expired 24 hours after it was sent.",
    origin: 'plat',
  },
  export_not_found: {
    status: 404,
    message: 'There is no such export or file of it: submit one with POST /v1/exports.',
    retryable: false,
    meaning: "Unknown, another account's, or expired 30 days after it was submitted. Or it has no file of that name.",
    origin: 'plat',
  },
  export_not_ready: {
    status: 409,
    message: 'The export has not ended: read GET /v1/exports/{export_id} until `status` is done.',
    retryable: true,
    retryAfter: 2,
    meaning: 'Its files were asked for while it was queued or running.',
    example: { export_id: 'exp_…' },
    origin: 'plat',
  },
  export_outdated: {
    status: 409,
    message: 'The export was made before an owner was withheld that it may name: submit it again.',
    retryable: false,
    meaning: 'Its files have columns of owners, and the operator of the service has withheld owners since.',
    origin: 'plat',
  },
  export_failed: {
    status: 409,
    message: 'The export has failed and has no files: `error` of the export says why; submit it again.',
    retryable: false,
    meaning: 'Its files were asked for after it had failed. What it had reserved was given back.',
    origin: 'plat',
  },
  export_interrupted: {
    status: 503,
    message: 'The export could not be finished: submit it again, and tell the operator if it fails again.',
    retryable: true,
    retryAfter: 30,
    meaning:
      'Only as `error` of an export. It was begun several times and not finished, because a disk was full, say, or was cancelled by the operator; nothing was charged.',
    origin: 'plat',
  },
  range_unsatisfiable: {
    status: 416,
    message: 'The file has {bytes} bytes and none of those that `Range` names.',
    retryable: false,
    meaning: 'The first byte lies behind the end of the file. `Content-Range` says how long it is.',
    example: { bytes: 1_024 },
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
