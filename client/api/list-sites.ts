// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The sites of the account */
export interface ListSites {
  readonly input: {
    /** Entries of a page, 1 to 50; 20 by default. */
    readonly limit?: string;
    /** `next_cursor` of the page before; valid one hour. */
    readonly cursor?: string;
  };
  readonly answer: {
    readonly sites: readonly {
      readonly site_id: string;
      /** Once `ready`, its dossier can be read and questions answered. After `failed` register it again. */
      readonly status: 'building' | 'ready' | 'failed';
      /** International acres. */
      readonly site_acres: number;
      /** Least longitude and latitude, greatest longitude and latitude. */
      readonly site_extent: readonly number[];
      /** When the screening was through; null before. */
      readonly built_at: string | null;
    }[];
    /** Null: this is the last page. */
    readonly next_cursor: string | null;
  };
}
