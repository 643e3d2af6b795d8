// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Agents, devices and tokens that may act for the account */
export interface ListGrants {
  readonly input: object;
  readonly answer: {
    /** What may act for the account now, newest first. */
    readonly grants: readonly {
      readonly id: string;
      /** An agent that signed in over OAuth, a program that was logged in, or an API token. */
      readonly kind: 'mcp' | 'device' | 'token';
      /** As it calls itself. Nobody has checked it. */
      readonly name: string | null;
      readonly scopes: readonly ('read' | 'spend' | 'write')[];
      /** Null: it has no budget of its own. */
      readonly credits_a_day: number | null;
      readonly created_at: string;
      /** Noted every ten seconds; null before the first use. */
      readonly last_used_at: string | null;
    }[];
  };
}
