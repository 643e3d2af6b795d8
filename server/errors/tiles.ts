import type { ErrorKind } from './error-kind.ts';

/** Error codes of map tiles. */
export const TILE_ERRORS = {
  tile_not_found: {
    status: 404,
    message: 'There is no such tile: {problem}. GET /tiles.json says which layers and zooms there are.',
    retryable: false,
    meaning:
      'A layer that this release does not have, a place beyond the grid or its deepest zoom, or a release that is not the current one. A tile in which nothing lies is 204.',
    example: { problem: 'this release has no layer of that name' },
    origin: 'plat',
  },
  tiles_busy: {
    status: 429,
    message: 'Too many requests wait for a worker: try again shortly.',
    retryable: true,
    retryAfter: 1,
    meaning: 'The tile was not drawn because all workers are busy.',
    origin: 'plat',
  },
  tile_unavailable: {
    status: 503,
    message: 'The tile could not be drawn: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 5,
    meaning: 'A file that it is drawn from cannot be read, or the time was up. GET /readyz tells operators which file.',
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
