// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Parcels that pass every filter */
export interface Search {
  readonly input: {
    /** All must hold. One selects states: `state` or `state2` with `eq` or `in`. */
    readonly filters: readonly {
      /** A name of the search catalog. */
      readonly field: string;
      /** Text and booleans take eq, ne, in; numbers and dates eq, ne, lt, lte, gt, gte, in, between; `geometry` takes intersects (any shared area or boundary point) and within (the whole parcel, shared boundary allowed). GET /v1/meta/fields lists them by field as `filter_operators`. */
      readonly op: string;
      /** By the type of the field, never null: text, true or false, or a JSON number. Dates are `2024-05-31`, timestamps UTC with milliseconds at most: `2024-05-31T12:00:00.000Z`; a date is its midnight UTC. A nonempty list for `in`, two ascending bounds for `between`, both included. For `state` and `state2` a two-letter code; for `county` a name, or a five-digit FIPS code as text. For `geometry` a GeoJSON Polygon or MultiPolygon in WGS84 with `type` and `coordinates` alone: rings closed and valid, without altitude, split at longitude 180 where it crosses the antimeridian. All areas together have at most 10,000 vertices (PLAT_SEARCH_MAX_VERTICES), and each at most 1,000,000 square kilometers (PLAT_SEARCH_MAX_KM2). */
      readonly value: unknown;
    }[];
    /** Further outputs; they never affect what matches. */
    readonly fields?: readonly string[];
    /** Whether each match gains everything known of its parcel. Default false. */
    readonly enrich?: boolean;
    /** Default 10. */
    readonly limit?: number;
    /** `next_cursor` of the page before; valid one hour. */
    readonly cursor?: string;
    /** The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it. */
    readonly release?: string;
  };
  readonly answer: {
    readonly matches: readonly {
      readonly apn: string | null;
      readonly address: string | null;
      readonly state: string;
      readonly county: string | null;
      readonly city: string | null;
      readonly acreage: number | null;
      readonly source: string;
      readonly analysis_point: {
        readonly lat: number;
        readonly lng: number;
        readonly method: string;
      };
      readonly fields: { readonly [name: string]: unknown };
      /** For each name in `fields`: `ok`; `absent`, the source has no value (not zero, not false); `failed`, it could not be read. */
      readonly field_status: { readonly [name: string]: 'ok' | 'absent' | 'failed' };
      /** Only with `enrich: true`. */
      readonly enrichment?: {
        readonly fetched_at: string;
        readonly analysis_point: {
          readonly lat: number;
          readonly lng: number;
          readonly method: string;
          readonly source: string;
        };
        /** Records as POST /v1/enrich answers them, in the same order. */
        readonly fields: { readonly [name: string]: unknown };
        readonly partial_failures: readonly {
          readonly field: string;
          readonly source: string;
          readonly error: string;
          readonly retryable: boolean;
        }[];
      };
    }[];
    /** `complete`: nothing follows. `limited`: more may follow, go on with `next_cursor`. `partial`: something could not be read, so that matches may be missing; a cursor goes on behind it. All was found where every page of a walk is `complete` or `limited`. */
    readonly status: 'complete' | 'limited' | 'partial';
    /** Of `complete`: `exhausted`. Of `limited`: `limit_reached`, the page is full; `work_limit`, a setting of the server. Of `partial`: `timeout`; `field_data_unavailable`, a calculation failed for some parcels; `source_unavailable`, a county cannot be read. */
    readonly completion_reason:
      | 'exhausted'
      | 'limit_reached'
      | 'work_limit'
      | 'timeout'
      | 'field_data_unavailable'
      | 'source_unavailable';
    readonly request_id: string;
    readonly next_cursor: string | null;
  };
}
