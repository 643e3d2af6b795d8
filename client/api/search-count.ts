// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** How many parcels pass every filter */
export interface SearchCount {
  readonly input: {
    /** All must hold. One selects states: `state` or `state2` with `eq` or `in`. */
    readonly filters: readonly {
      /** A name of the search catalog. */
      readonly field?: string;
      /** As of POST /v1/search; and `is_null`, `not_null`, which take no `value`, and of text `starts_with` and `contains`, which are compared without case; and of `acreage` `disagrees`, without a value: deed or county say more than 5 percent (and 0.02) other acres than the outline has. */
      readonly op?: string;
      /** By the type of the field, never null: text, true or false, or a JSON number. Dates are `2024-05-31`, timestamps UTC with milliseconds at most: `2024-05-31T12:00:00.000Z`; a date is its midnight UTC. A nonempty list for `in`, two ascending bounds for `between`, both included. For `state` and `state2` a two-letter code; for `county` a name, or a five-digit FIPS code as text. For `geometry` a GeoJSON Polygon or MultiPolygon in WGS84 with `type` and `coordinates` alone: rings closed and valid, without altitude, split at longitude 180 where it crosses the antimeridian. All areas together have at most 10,000 vertices (PLAT_SEARCH_MAX_VERTICES), and each at most 1,000,000 square kilometers (PLAT_SEARCH_MAX_KM2). */
      readonly value?: unknown;
      /** Instead of `field`, `op` and `value`: the body of POST /v1/areas; parcels that meet that area pass. */
      readonly near?: {
        readonly lat?: number;
        readonly lng?: number;
        readonly address?: string;
        /** As enrichment, lookup and ranks answer it. */
        readonly parcel_id?: string;
        /** A GeoJSON Point, LineString, MultiLineString, Polygon or MultiPolygon in WGS84, `type` and `coordinates` alone. */
        readonly geometry?: unknown;
        /** Geodesic meters; of a polygon or parcel from its outline. */
        readonly within_m?: number;
        /** Instead: minutes of driving from a point. */
        readonly drive_minutes?: number;
      };
    }[];
    /** The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it. */
    readonly release?: string;
    /** Up to which is counted. Default 100000. */
    readonly bound?: number;
  };
  readonly answer: {
    /** Parcels that pass every filter. */
    readonly count: number;
    /** Different outlines among them: the apartments of a house may be a row each, with the outline of one lot. */
    readonly outlines: number;
    /** Whether there may be more: the bound was reached, or `warnings` says what was not counted. */
    readonly at_least: boolean;
    /** Parcels for which a calculation of a filter failed; they are not counted. */
    readonly unknown: number;
    /** What the filters could not tell, such as an empty column. */
    readonly warnings: readonly string[];
    /** Each filter, counted to the same bound: what the count would be without it. */
    readonly per_filter: readonly {
      /** Its place in `filters`, from 0. */
      readonly index: number;
      /** Parcels of all states that pass this filter alone; null where there was no time to count. */
      readonly alone: number | null;
      /** Parcels that pass all other filters; null where there was no time to count. */
      readonly without: number | null;
    }[];
    /** The first ten, as a search has them. */
    readonly preview: readonly {
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
  };
}
