// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Parcels side by side that together are large enough */
export interface Assemblage {
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
    /** Acres of a group at least. */
    readonly acres_min: number;
    /** Owners of a group at most, as POST /v1/owners tells them apart. Left out: any number. */
    readonly owners_max?: number;
    /** Meters of a road, a railway or other ground of no parcel that a group may lie across. Default 0. */
    readonly road_m?: number;
    /** A parcel that is in every group. It need not pass the filters. */
    readonly parcel_id?: string;
    /** The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it. */
    readonly release?: string;
    /** Default 10. */
    readonly limit?: number;
  };
  readonly answer: {
    /** Least acres beyond `acres_min` first, equal ones in stored order. */
    readonly groups: readonly {
      /** Sum of the acres of its parcels; ground of several parcels counts once. */
      readonly acres: number;
      /** As the roll writes them; a parcel without one adds none. */
      readonly owners: readonly string[];
      readonly parcel_ids: readonly string[];
      /** The ground of all its parcels. */
      readonly geometry: {
        readonly type: 'Polygon' | 'MultiPolygon';
        readonly coordinates: readonly unknown[];
      };
    }[];
    /** Parcels for which a calculation of a filter failed; whether they pass is not known. */
    readonly unknown: number;
    /** Gaps in what is known, such as a column without any value. They are no finding. */
    readonly warnings: readonly string[];
    /** `complete`: all that was asked about was read. `partial`: some of it was not, so that more may be true. */
    readonly status: 'complete' | 'partial';
    /** Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or county is not here or cannot be read; `timeout`. */
    readonly completion_reason: 'exhausted' | 'source_unavailable' | 'timeout';
    readonly request_id: string;
  };
}
