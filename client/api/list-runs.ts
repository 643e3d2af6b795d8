// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The runs of the account */
export interface ListRuns {
  readonly input: {
    /** Entries of a page, 1 to 50; 20 by default. */
    readonly limit?: string;
    /** `next_cursor` of the page before; valid one hour. */
    readonly cursor?: string;
  };
  readonly answer: {
    /** As GET /v1/runs/{run_id} has them, without `request` and `result`. */
    readonly runs: readonly {
      readonly run_id: string;
      readonly kind: 'fetch_batch';
      /** It ends as `done`, with its result, or `failed`, with `error`; a run that failed costs nothing. */
      readonly status: 'queued' | 'running' | 'done' | 'failed';
      readonly created_at: string;
      readonly updated_at: string;
      readonly expires_at: string;
      readonly progress: {
        readonly done: number;
        readonly total: number;
      };
      readonly error: {
        readonly error: string;
        readonly message: string;
        readonly retryable: boolean;
      } | null;
    }[];
    /** Null: this is the last page. */
    readonly next_cursor: string | null;
  };
}
