// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Ask for a data point that the catalog lacks */
export interface FileFieldRequest {
  readonly input: {
    /** What the value says, in plain language. */
    readonly description: string;
    /** Where you need it; each exactly one of `address`, `lat` with `lng`, `polygon`. */
    readonly example_locations: readonly {
      /** A street address. */
      readonly address?: string;
      /** WGS84, with `lng`. */
      readonly lat?: number;
      /** WGS84, with `lat`. */
      readonly lng?: number;
      /** A GeoJSON Polygon or MultiPolygon, as of a site. */
      readonly polygon?: { readonly [name: string]: unknown };
      /** What the value is there, if you know it. */
      readonly claimed_value?: string;
      readonly note?: string;
    }[];
    /** What it is for. */
    readonly use_case?: string;
    /** The value at which you decide otherwise. */
    readonly decision_threshold?: string;
    /** When you need it. */
    readonly deadline?: string;
    readonly area_of_interest?: {
      /** States, counties, cities. */
      readonly names?: readonly string[];
    };
    readonly expected_volume?: {
      /** Locations you will ask about. */
      readonly locations?: number;
      /** Where they lie. */
      readonly geography?: string;
    };
    readonly freshness?: {
      /** How old a value may be, such as `30 days` or `1 year`. */
      readonly max_staleness?: string;
      /** How often it changes in the world. */
      readonly changes_how_often?: string;
    };
    readonly constraints?: {
      /** Catalog fields, or descriptions, that are not what is asked for. */
      readonly must_not_be?: readonly string[];
      /** What you have. */
      readonly already_have?: readonly string[];
      /** Catalog fields, or descriptions, that would do. */
      readonly acceptable_substitutes?: readonly string[];
    };
    readonly known_sources?: {
      /** Where it may be found. */
      readonly suggested?: readonly {
        readonly name?: string;
        readonly url?: string;
        readonly note?: string;
        readonly why?: string;
      }[];
      /** What may not be used. */
      readonly excluded?: readonly {
        readonly name?: string;
        readonly url?: string;
        readonly note?: string;
        readonly why?: string;
      }[];
    };
    readonly output_preference?: {
      /** Such as `miles` or `USD`. */
      readonly units?: string;
      readonly buckets_ok?: boolean;
    };
    /** The values, where there are several. */
    readonly requested_fields?: readonly {
      /** One value, in plain language. */
      readonly ask: string;
    }[];
    /** The same request again under the same key is that request. Keys do not expire. */
    readonly idempotency_key?: string;
    readonly callback?: {
      /** https, at a public address. */
      readonly webhook_url?: string;
      /** Gets mail once its owner has confirmed it, unless it is the verified one of the account. */
      readonly email?: string;
    };
    /** Comes back as it is; at most 8 KB of UTF-8. */
    readonly context_blob?: string;
  };
  readonly answer: {
    readonly request_id: string;
    /** Its step. `waiting_on` says whose turn it is. */
    readonly status:
      | 'received'
      | 'screening'
      | 'matched'
      | 'awaiting_confirm'
      | 'rejected'
      | 'queued'
      | 'claimed'
      | 'building'
      | 'in_review'
      | 'approved'
      | 'publishing'
      | 'live'
      | 'blocked'
      | 'expired';
    /** Path of the request. */
    readonly poll: string;
  };
}
