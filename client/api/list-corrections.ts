// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The corrections of the account */
export interface ListCorrections {
  readonly input: {
    /** Entries of a page, 1 to 50; 20 by default. */
    readonly limit?: string;
    /** `next_cursor` of the page before; valid one hour. */
    readonly cursor?: string;
  };
  readonly answer: {
    /** As GET /v1/corrections/{correction_id} has them. */
    readonly corrections: readonly {
      readonly correction_id: string;
      readonly status: 'received' | 'in_review' | 'accepted' | 'rejected' | 'superseded';
      readonly field: string;
      /** The value, of the type and in the unit of the field. */
      readonly value: string | number | boolean;
      /** Of the field. */
      readonly unit: string | null;
      readonly place: {
        readonly lat: number;
        readonly lng: number;
        /** The parcel that is meant; null where it is the place alone. */
        readonly parcel_id: string | null;
      };
      readonly evidence: {
        /** Address at which a reviewer can read it. It is the source once the correction is accepted. */
        readonly url?: string;
        /** Reason to believe it, in words for the reviewer. No answer repeats them. */
        readonly note: string;
      };
      /** The answer when it was filed. */
      readonly source_says: {
        readonly value: unknown;
        readonly status: 'ok' | 'absent' | 'failed';
        /** As the record has it. */
        readonly source: string | null;
        /** As the record has it. */
        readonly source_url: string | null;
        /** As the record has it. */
        readonly dataset_vintage: string | null;
        /** The release that answered. */
        readonly release: string | null;
      };
      /** Why it was decided as it was; null before. */
      readonly reason: string | null;
      readonly created_at: string;
      readonly updated_at: string;
    }[];
    /** Null: this is the last page. */
    readonly next_cursor: string | null;
  };
}
