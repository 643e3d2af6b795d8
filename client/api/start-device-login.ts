// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Begin a login that a user approves in a browser */
export interface StartDeviceLogin {
  readonly input: {
    /** Who asks, as the approval page shall show it. */
    readonly client_name?: string;
  };
  readonly answer: {
    /** A secret of who polls. */
    readonly device_code: string;
    /** What the user compares or types. */
    readonly user_code: string;
    readonly verification_uri: string;
    /** The same with the code in it. */
    readonly verification_uri_complete: string;
    /** Seconds. */
    readonly expires_in: number;
    /** Seconds between two polls. */
    readonly interval: number;
  };
}
