// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Accept the terms and get a connect code for an agent */
export interface BeginOnboarding {
  readonly input: {
    readonly terms_version: string;
    readonly terms_sha256: string;
  };
  readonly answer: {
    readonly attempt_id: string;
    /** A secret, good once within 15 minutes. It is in this answer alone. */
    readonly connect_code: string;
    /** Of the code. */
    readonly expires_at: string;
  };
}
