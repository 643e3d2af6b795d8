// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { OgcTileSets } from './ogc-tile-sets.ts';

/** One collection */
export interface OgcCollection {
  readonly input: {
    readonly collectionId: string;
  };
  readonly answer: OgcTileSets['answer'];
}
