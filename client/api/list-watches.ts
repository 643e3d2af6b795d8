// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The watches of the account */
export interface ListWatches {
  readonly input: {
    /** Entries of a page, 1 to 50; 20 by default. */
    readonly limit?: string;
    /** `next_cursor` of the page before; valid one hour. */
    readonly cursor?: string;
  };
  readonly answer: {
    readonly watches: readonly {
      readonly watch_id: string;
      /** `stopped`: its webhook answered 410 and it names no other way to tell. */
      readonly status: 'active' | 'stopped';
      readonly created_at: string;
      readonly site_id: string | null;
      /** How many parcels are listed. */
      readonly parcels: number | null;
      /** How many filters the search has. */
      readonly filters: number | null;
      readonly fields: readonly string[];
      /** Null where nobody is told any more. */
      readonly callback: {
        /** https, at a public address. */
        readonly webhook_url?: string;
        /** Gets mail once its owner has confirmed it, unless it is the verified one of the account. */
        readonly email?: string;
      } | null;
      /** The release that its answer was compared with last. */
      readonly release: string;
      /** When a change was told last. */
      readonly told_at: string | null;
    }[];
    /** Null: this is the last page. */
    readonly next_cursor: string | null;
  };
}
