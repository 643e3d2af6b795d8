import type { ErrorKind } from './error-kind.ts';

/** Error codes of sites. */
export const SITE_ERRORS = {
  invalid_geometry: {
    status: 422,
    message: 'The polygon cannot be used: {problem}',
    retryable: false,
    meaning:
      'Not a valid GeoJSON Polygon or MultiPolygon in WGS84, outside the United States, or over a limit. `issues` says where, what is wrong and how to correct it; raw input is never echoed. Nothing was charged.',
    example: { problem: 'The ring is not closed. Repeat its first position as its last.' },
    exampleContext: {
      issues: [
        {
          path: 'site.coordinates[0][4]',
          description: 'The ring is not closed.',
          hint: 'Repeat its first position as its last.',
        },
      ],
    },
    origin: 'spec',
  },
  site_not_found: {
    status: 404,
    message: 'There is no such site: register its polygon with POST /v1/sites.',
    retryable: false,
    meaning: 'Unknown, expired 30 days after its last registration, or never registered by this account.',
    origin: 'spec',
  },
  sites_busy: {
    status: 429,
    message: 'Too many requests wait for a worker: try again shortly.',
    retryable: true,
    retryAfter: 2,
    meaning: 'The polygon could not be judged because all workers are busy. Nothing was charged.',
    origin: 'plat',
  },
} as const satisfies Record<string, ErrorKind>;
