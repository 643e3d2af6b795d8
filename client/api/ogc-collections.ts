// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { OgcTileSets } from './ogc-tile-sets.ts';

/** The layers of the release as collections of features */
export interface OgcCollections {
  readonly input: object;
  readonly answer: OgcTileSets['answer'];
}
