// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Be told when a publication changes an answer */
export interface RegisterWatch {
  readonly input: {
    /** A site of the account. */
    readonly site_id?: string;
    /** As enrichment, lookup and ranks answer them. */
    readonly parcel_ids?: readonly string[];
    readonly search?: {
      /** As in POST /v1/search/count, a filter on the state among them. At most 10,000 parcels may pass. */
      readonly filters: readonly unknown[];
    };
    /** Of a site fields of POST /v1/fetch, of parcels and searches those of POST /v1/enrich. */
    readonly fields: readonly string[];
    /** Where changes are told: `webhook_url`, `email` or both. */
    readonly callback: {
      /** https, at a public address. */
      readonly webhook_url?: string;
      /** Gets mail once its owner has confirmed it, unless it is the verified one of the account. */
      readonly email?: string;
    };
  };
  readonly answer: {
    readonly watch_id: string;
    /** `stopped`: its webhook answered 410 and it names no other way to tell. */
    readonly status: 'active' | 'stopped';
    readonly created_at: string;
  };
}
