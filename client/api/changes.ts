// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** What changed since a release */
export interface Changes {
  readonly input: {
    /** A release that is kept: `release` of an answer from then, or one that `release_not_kept` lists. */
    readonly since: string;
    /** Two-letter code: what is of this state, and of the country. */
    readonly state?: string;
    /** Attributes and calculations of parcels with commas between, 50 at most. Without them only layers are told. */
    readonly fields?: string;
    /** Parcels of a page, 1 to 1000; 100 by default. */
    readonly limit?: string;
    /** `next_cursor` of the page before; valid one hour. */
    readonly cursor?: string;
  };
  readonly answer: {
    readonly since: string;
    /** The later release: `since` of the next time. */
    readonly release: string;
    /** Layers whose rows differ, once each over all pages. */
    readonly layers: readonly {
      readonly dataset: string;
      readonly layer: string;
      readonly added: number;
      readonly removed: number;
      /** Rows of the same key with other values or another shape. A raster counts as one row. */
      readonly changed: number;
    }[];
    readonly parcels: readonly {
      /** Never given to another parcel. */
      readonly parcel_key: string;
      /** As enrichment and lookup answer it. */
      readonly parcel_id: string;
      readonly state: string;
      readonly county_fips: string;
      readonly change: 'added' | 'removed' | 'changed';
      /** Of a removed parcel that is still in the parcel file: what its publisher marks the ground as, which is no parcel. */
      readonly reason?: string;
      /** Only where several parcels have one number and one shape and nothing else told them apart: this one was paired by the order of the rows, and another one of them may be meant. */
      readonly by_rank?: true;
      /** The fields that differ. Null on the side whose release does not have the parcel. */
      readonly fields: {
        readonly [name: string]: {
          readonly before: {
            /** Null unless the status is `ok`. */
            readonly value: unknown;
            readonly status: 'ok' | 'absent' | 'failed';
          } | null;
          readonly after: {
            /** Null unless the status is `ok`. */
            readonly value: unknown;
            readonly status: 'ok' | 'absent' | 'failed';
          } | null;
        };
      };
    }[];
    /** What could not be compared, and why. */
    readonly gaps: readonly {
      readonly dataset: string;
      readonly layer: string;
      readonly partition: string;
      readonly field: string | null;
      readonly reason: string;
    }[];
    readonly next_cursor: string | null;
  };
}
