// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { GeocodeBlock } from './schemas.ts';

/** The place of an address */
export interface Geocode {
  readonly input: {
    /** Street address in the United States. */
    readonly address: string;
  };
  readonly answer: GeocodeBlock;
}
