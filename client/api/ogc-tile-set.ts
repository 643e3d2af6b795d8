// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { OgcTileSets } from './ogc-tile-sets.ts';

/** The vector tiles of the map */
export interface OgcTileSet {
  readonly input: {
    readonly tileMatrixSetId: string;
  };
  readonly answer: OgcTileSets['answer'];
}
