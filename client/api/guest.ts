// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** A token to look around without an account */
export interface Guest {
  readonly input: object;
  readonly answer: {
    /** Null where the server lets no guests in. */
    readonly token: string | null;
    /** An hour later. */
    readonly expires_at: string | null;
    readonly scopes: readonly 'read'[];
    /** Why there is none. */
    readonly reason?: string;
  };
}
