// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** A map of all parcels that pass every filter */
export interface SearchTiles {
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
  };
  readonly answer: {
    /** Address of the vector tiles, with {z}, {x} and {y}. It needs no token: whoever has it sees the parcels. Zooms 0 to 16. */
    readonly tiles: string;
    /** An hour later. From then on the address is 404. */
    readonly expires_at: string;
    /** Parcels for which a calculation of a filter failed; whether they pass is not known. */
    readonly unknown: number;
    /** Gaps in what is known, such as a column without any value. They are no finding. */
    readonly warnings: readonly string[];
  };
}
