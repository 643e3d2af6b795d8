// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Revoke an agent, a device or a token */
export interface RevokeGrant {
  readonly input: {
    /** Id of a grant. */
    readonly id: string;
  };
  readonly answer: never;
}
