// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** A list of places, kept for a day */
export interface Upload {
  readonly input: object;
  readonly answer: {
    readonly upload_id: string;
    readonly rows: number;
    /** Names in the file. */
    readonly columns: readonly string[];
    readonly expires_at: string;
  };
}
