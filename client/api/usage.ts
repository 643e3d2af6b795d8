// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Credits used this month */
export interface Usage {
  readonly input: object;
  readonly answer: {
    readonly plan: string;
    /** `YYYY-MM`, UTC. */
    readonly period: string;
    /** Of the plan, a calendar month. */
    readonly credits_included: number;
    /** With what running requests have reserved. */
    readonly credits_used: number;
    /** Of the included ones. */
    readonly credits_remaining: number;
    readonly self_imposed_limit: number | null;
    /** The tighter of the plan's and the account's own limit. */
    readonly effective_limit: number;
    /** The 1st of next month, 00:00 UTC. */
    readonly resets_at: string;
    /** Adds up to `credits_used`. */
    readonly by_endpoint: readonly {
      readonly endpoint: string;
      /** Those that cost something, and those that run. */
      readonly requests: number;
      readonly credits: number;
    }[];
    /** By the token or the agent that asked, the most credits first. Adds up to `credits_used`. */
    readonly by_token: readonly {
      /** As tokens and grants are listed; null for the console and other browser sessions, and for what was asked before tokens were told apart. */
      readonly id: string | null;
      /** Those that cost something, and those that run. */
      readonly requests: number;
      readonly credits: number;
    }[];
    /** By the day on which a request came, days without any left out. Adds up to `credits_used`. */
    readonly by_day: readonly {
      /** `YYYY-MM-DD`, UTC. */
      readonly date: string;
      /** Those that cost something, and those that run. */
      readonly requests: number;
      readonly credits: number;
    }[];
  };
}
