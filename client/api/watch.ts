// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** A watch */
export interface Watch {
  readonly input: {
    readonly watch_id: string;
  };
  readonly answer: {
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
    readonly parcel_ids: readonly string[] | null;
    readonly search: {
      readonly filters: readonly unknown[];
    } | null;
    /** What was told last, for 30 days. */
    readonly last_event: {
      readonly event_type: 'watch_changed';
      readonly watch_id: string;
      /** The earlier release. */
      readonly since: string;
      readonly release: string;
      /** How many changes there are. */
      readonly total: number;
      readonly changes: readonly {
        readonly site_id?: string;
        readonly parcel_id?: string;
        /** Of a list a parcel is `added` or `removed` where one of the releases does not have it; of a search it `entered` or `left` where it passes the filters in one of them alone. */
        readonly change: 'changed' | 'added' | 'removed' | 'entered' | 'left';
        /** Null where no field that is asked about or filtered by says why. */
        readonly field: string | null;
        /** Null where the release does not have the parcel. */
        readonly before: {
          /** Null unless the status is `ok`. */
          readonly value: unknown;
          readonly status: 'ok' | 'absent' | 'failed';
          readonly source: string;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          readonly error?: string;
          readonly retryable?: boolean;
          /** Of a site: what holds of the whole ground; null where the field says nothing. */
          readonly area?: unknown;
        } | null;
        /** Null where the release does not have the parcel. */
        readonly after: {
          /** Null unless the status is `ok`. */
          readonly value: unknown;
          readonly status: 'ok' | 'absent' | 'failed';
          readonly source: string;
          readonly source_url: string | null;
          readonly dataset_vintage: string | null;
          readonly error?: string;
          readonly retryable?: boolean;
          /** Of a site: what holds of the whole ground; null where the field says nothing. */
          readonly area?: unknown;
        } | null;
        /** Files of the release there that the field reads and that differ: hashes of the old ones and of the new ones. None where only the calculation changed. */
        readonly files: readonly {
          readonly layer: string;
          readonly before: readonly string[];
          readonly after: readonly string[];
        }[];
      }[];
      /** Path at which the others are read; null where all are told. */
      readonly rest: string | null;
      readonly gaps: readonly string[];
    } | null;
    /** How the last event reached the callback. */
    readonly deliveries: readonly {
      readonly channel: 'webhook' | 'email';
      /** `held` until the owner of the address confirms it; `ended`: nobody wants it. */
      readonly status: 'waiting' | 'held' | 'delivered' | 'failed' | 'ended';
      readonly error: string | null;
    }[];
  };
}
