// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Why a parcel passes filters or not, or why none does */
export interface SearchExplain {
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
    /** Left out: why no parcel passes. */
    readonly parcel_id?: string;
  };
  readonly answer:
    | {
        readonly passes: boolean | null;
        readonly filters: readonly {
          /** Its place in `filters`, from 0. */
          readonly index: number;
          /** Of the filter’s field; of an area the meters between it and the parcel, up to 1,000 km. */
          readonly value: string | number | boolean | null;
          readonly status: 'ok' | 'absent' | 'failed';
          readonly passes: boolean | null;
          readonly margin: number | null;
        }[];
        /** `complete`: all that was asked about was read. `partial`: some of it was not, so that more may be true. */
        readonly status: 'complete' | 'partial';
        /** Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or county is not here or cannot be read; `timeout`. */
        readonly completion_reason: 'exhausted' | 'source_unavailable' | 'timeout';
        readonly request_id: string;
      }
    | {
        /** Parcels that pass every filter. */
        readonly count: number;
        /** Only where none passes: each filter that could give way alone, the one first whose bound moves by the least share of itself. Filters on the state never do. */
        readonly relax: readonly {
          /** Its place in `filters`, from 0. */
          readonly index: number;
          /** The bound that lets ten parcels pass, or all where there are fewer: itself included (`gt` becomes `gte`); both bounds of `between`; values for `in` of `eq`, `in` and `ne`. Null: this filter must be left out. */
          readonly value: number | string | readonly (number | string)[] | null;
          /** Parcels that pass then. */
          readonly matches: number;
        }[];
        /** Gaps in what is known, such as a column without any value. They are no finding. */
        readonly warnings: readonly string[];
        /** `complete`: all that was asked about was read. `partial`: some of it was not, so that more may be true. */
        readonly status: 'complete' | 'partial';
        /** Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or county is not here or cannot be read; `timeout`. */
        readonly completion_reason: 'exhausted' | 'source_unavailable' | 'timeout';
        readonly request_id: string;
      };
}
