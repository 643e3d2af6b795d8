// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Parcels that pass every filter, in groups */
export interface Aggregate {
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
    /** Without any, all parcels are one group. */
    readonly group_by?: readonly (
      | string
      | {
          /** Cells of this resolution that hold the analysis point. */
          readonly h3: number;
        }
      | {
          /** A name whose values are numbers. */
          readonly bins: string;
          /** Ascending. */
          readonly edges: readonly number[];
        }
    )[];
    readonly measures: readonly {
      readonly op: 'count' | 'sum' | 'mean' | 'min' | 'max' | 'quantile';
      /** Needed but for a count of the parcels. */
      readonly field?: string;
      /** Of a quantile. */
      readonly q?: number;
    }[];
    /** Groups of fewer parcels are called small. Default 5. */
    readonly min_count?: number;
    /** Whether cells come with their outline. Default false. */
    readonly geometry?: boolean;
    /** Whether sums of acres count ground for every row that lies on it. Default false: apartments of one lot count its ground once in a group. */
    readonly stacked?: boolean;
  };
  readonly answer: {
    /** Largest first. */
    readonly groups: readonly {
      /** A part for each of `group_by`; null where there is no value. A bin holds `from`, not `to`. */
      readonly key: readonly (
        | string
        | number
        | boolean
        | null
        | {
            readonly from: number | null;
            readonly to: number | null;
          }
      )[];
      readonly count: number;
      /** Fewer parcels than `min_count`: its measures say little. */
      readonly small: boolean;
      /** In the order of the request. */
      readonly measures: readonly {
        /** Null where no parcel of the group has a value. */
        readonly value: number | string | null;
        /** Parcels with a value. */
        readonly ok: number;
        /** Parcels without one. */
        readonly absent: number;
        /** Parcels for which the calculation failed. */
        readonly failed: number;
      }[];
      /** GeoJSON Polygon. */
      readonly geometry?: unknown;
    }[];
    /** Parcels that pass every filter. */
    readonly considered: number;
    /** Those whose group is not known, because a calculation failed. */
    readonly failed: number;
    /** Parcels for which a calculation of a filter failed; whether they pass is not known. */
    readonly unknown: number;
    /** Gaps in what is known, such as a column without any value. They are no finding. */
    readonly warnings: readonly string[];
  };
}
