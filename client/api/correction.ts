// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** A correction, whatever became of it */
export interface Correction {
  readonly input: {
    readonly correction_id: string;
  };
  readonly answer: {
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
  };
}
