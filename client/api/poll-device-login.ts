// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The API token of a login, once it is approved */
export interface PollDeviceLogin {
  readonly input: {
    readonly device_code: string;
  };
  readonly answer: {
    /** An API token of the account that approved. It is in this answer alone. */
    readonly token: string;
    readonly token_id: string;
    readonly expires_at: string;
  };
}
