// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { OgcTileSets } from './ogc-tile-sets.ts';

/** The first page of the OGC API */
export interface OgcLanding {
  readonly input: object;
  readonly answer: OgcTileSets['answer'];
}
