import type { ErrorKind } from './error-kind.ts';

/** Error codes of map tiles. */
export const TILE_ERRORS = {
  tile_not_found: {
    status: 404,
    message: 'There is no such tile: {problem}. GET /tiles.json says which layers and zooms there are.',
    retryable: false,
    meaning:
      'A layer that this release has no tiles of, a place beyond the grid or the deepest zoom of the layers, a release that is not the current one, or a map of a search whose hour is over. A tile in which nothing lies is 204.',
    example: { problem: 'this release has no tiles of that layer' },
    origin: 'plat',
  },
  tile_unavailable: {
    status: 503,
    message: 'The tile could not be read: try again after the Retry-After seconds.',
    retryable: true,
    retryAfter: 5,
    meaning:
      'The archive that holds it is missing, damaged or being checked; or, of the ground, a raster is, or too many wait for tiles that are drawn. GET /readyz tells operators which file.',
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
