// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Exchange a connect code for an API token */
export interface ExchangeConnectCode {
  readonly input: {
    readonly connect_code: string;
  };
  readonly answer: {
    readonly attempt_id: string;
    /** An API token of the account. */
    readonly token: string;
    readonly token_id: string;
    /** Of the token. */
    readonly expires_at: string;
  };
}
