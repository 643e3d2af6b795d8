// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** How the refresh of each place stands, for operators */
export interface OperatorPlaces {
  readonly input: object;
  readonly answer: {
    /** Places that fail first, the longest failing before all others; then by name. */
    readonly places: readonly {
      readonly place: string;
      /** When it was last asked for. */
      readonly asked_at: string | null;
      /** When something new last came of it. */
      readonly new_at: string | null;
      readonly failed_since: string | null;
      /** Why it failed last. */
      readonly why: string | null;
      readonly files: readonly {
        readonly file: string;
        /** When it was last asked for. */
        readonly asked_at: string | null;
        /** When something new last came of it. */
        readonly new_at: string | null;
        readonly failed_since: string | null;
        /** Why it failed last. */
        readonly why: string | null;
      }[];
    }[];
  };
}
