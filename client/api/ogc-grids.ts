// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { OgcTileSets } from './ogc-tile-sets.ts';

/** The grids of tiles */
export interface OgcGrids {
  readonly input: object;
  readonly answer: OgcTileSets['answer'];
}
