// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Sign out, here or everywhere */
export interface SignOut {
  readonly input: {
    /** Ends all sessions of the account and the grants of its agents too. API tokens and those of devices stay. Default false. */
    readonly everywhere?: boolean;
  };
  readonly answer: never;
}
