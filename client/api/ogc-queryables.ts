// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { OgcTileSets } from './ogc-tile-sets.ts';

/** The properties that a filter can ask for */
export interface OgcQueryables {
  readonly input: {
    readonly collectionId: string;
  };
  readonly answer: OgcTileSets['answer'];
}
