// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Create an API token */
export interface CreateToken {
  readonly input: {
    /** What it is for. No control characters. */
    readonly name?: string;
    /** Default 90. */
    readonly expires_in_days?: number;
  };
  readonly answer: {
    readonly id: string;
    readonly name: string | null;
    readonly created_at: string;
    readonly expires_at: string;
    /** Noted every ten seconds; null before the first use. */
    readonly last_used_at: string | null;
    /** Whether it can be shown again: not after the secret that signs tokens was changed. */
    readonly recoverable: boolean;
    readonly status: 'active' | 'expired' | 'revoked';
    /** Keep it secret: it can do what the account can. */
    readonly token: string;
  };
}
