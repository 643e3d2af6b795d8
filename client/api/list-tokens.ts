// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { Token } from './schemas.ts';

/** API tokens of the account */
export interface ListTokens {
  readonly input: object;
  readonly answer: {
    /** Newest first, 1,000 at most. */
    readonly tokens: readonly Token[];
  };
}
