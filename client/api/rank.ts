// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The first parcels of those that pass every filter */
export interface Rank {
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
    /** One after another; absent values come last. */
    readonly order_by?: readonly {
      /** A name of the search catalog. */
      readonly field: string;
      readonly direction: 'asc' | 'desc';
    }[];
    /** Instead of `order_by`: the weighted mean of the percentiles, 0 to 100, highest first. */
    readonly score?: readonly {
      /** A name of the search catalog. */
      readonly field: string;
      readonly weight: number;
      readonly prefer:
        | 'high'
        | 'low'
        | {
            readonly near: number;
          };
    }[];
    /** Further outputs of each match. */
    readonly fields?: readonly string[];
    /** Default 20. */
    readonly limit?: number;
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
      /** As enrichment and lookup answer it; equal parcels are in its order. */
      readonly parcel_id: string;
      readonly rank: number;
      readonly score?: number | null;
      readonly criteria: {
        readonly [name: string]: {
          readonly value: unknown;
          readonly status: 'ok' | 'absent';
          readonly percentile: number | null;
        };
      };
    }[];
    /** Parcels that pass every filter. */
    readonly considered: number;
    /** Those that lack a criterion: they come last. */
    readonly absent: number;
    /** Those for which the calculation of a criterion failed: they have no rank. */
    readonly failed: number;
    /** Parcels for which a calculation of a filter failed; whether they pass is not known. */
    readonly unknown: number;
    /** Gaps in what is known, such as a column without any value. They are no finding. */
    readonly warnings: readonly string[];
  };
}
