// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Revoke an API token */
export interface RevokeToken {
  readonly input: {
    /** Id of a token. */
    readonly id: string;
  };
  readonly answer: never;
}
