// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { OgcTileSets } from './ogc-tile-sets.ts';

/** The classes of the standards that are met */
export interface OgcConformance {
  readonly input: object;
  readonly answer: OgcTileSets['answer'];
}
