// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Show an active API token again */
export interface RevealToken {
  readonly input: {
    /** Id of a token. */
    readonly id: string;
  } & object;
  readonly answer: {
    readonly id: string;
    readonly token: string;
  };
}
