// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The exports of the account */
export interface ListExports {
  readonly input: {
    /** Entries of a page, 1 to 50; 20 by default. */
    readonly limit?: string;
    /** `next_cursor` of the page before; valid one hour. */
    readonly cursor?: string;
  };
  readonly answer: {
    /** As GET /v1/exports/{export_id} has them, without `request`. */
    readonly exports: readonly {
      readonly export_id: string;
      /** It ends as `done`, with its `files`, or `failed`, with `error`; an export that failed costs nothing. */
      readonly status: 'queued' | 'running' | 'done' | 'failed';
      readonly created_at: string;
      readonly updated_at: string;
      readonly expires_at: string;
      /** Rows. */
      readonly progress: {
        readonly done: number;
        readonly total: number;
      };
      /** So far. Values are those of fields that were computed. */
      readonly counts: {
        readonly rows_ok: number;
        /** Rows without a place: their status says why. */
        readonly rows_failed: number;
        readonly values_ok: number;
        readonly values_absent: number;
        readonly values_failed: number;
      };
      /** Gaps, a sentence each, such as a county that cannot be read. */
      readonly warnings: readonly string[];
      /** Once it is done: the table, and whom its columns are cited from. */
      readonly files: readonly {
        readonly name: string;
        readonly bytes: number;
        readonly sha256: string;
      }[];
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
