// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { OgcTileSets } from './ogc-tile-sets.ts';

/** The definition of a grid of tiles */
export interface OgcGrid {
  readonly input: {
    readonly tileMatrixSetId: string;
  };
  readonly answer: OgcTileSets['answer'];
}
