// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Say that a value is wrong, and what it is */
export interface FileCorrection {
  readonly input: {
    /** A name of the fetch or enrich catalog. */
    readonly field: string;
    /** WGS84, with `lng`: the place, or a point of the parcel. */
    readonly lat?: number;
    /** WGS84, with `lat`. */
    readonly lng?: number;
    /** A street address. */
    readonly address?: string;
    /** A parcel, as enrichment and lookup answer it: all of it is meant. */
    readonly parcel_id?: string;
    /** The value, of the type and in the unit of the field. */
    readonly value: string | number | boolean;
    readonly evidence: {
      /** Address at which a reviewer can read it. It is the source once the correction is accepted. */
      readonly url?: string;
      /** Reason to believe it, in words for the reviewer. No answer repeats them. */
      readonly note: string;
    };
    readonly callback?: {
      /** https, at a public address. */
      readonly webhook_url?: string;
      /** Gets mail once its owner has confirmed it, unless it is the verified one of the account. */
      readonly email?: string;
    };
  };
  readonly answer: {
    readonly correction_id: string;
    readonly status: 'received' | 'in_review' | 'accepted' | 'rejected' | 'superseded';
    /** Path of the correction. */
    readonly poll: string;
  };
}
