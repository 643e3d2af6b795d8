// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** A table of many places, made in the background */
export interface SubmitExport {
  readonly input: {
    /** Every parcel that passes, without pages. Or `upload_id`. */
    readonly search?: {
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
    };
    /** Every row of POST /v1/uploads. */
    readonly upload_id?: string;
    /** Catalog names, see GET /v1/meta/fields. At most 50 different ones after preset expansion. */
    readonly fields?: readonly string[] | null;
    /** A named list of fields; expanded before `fields` are added. */
    readonly preset?:
      | 'terrain'
      | 'flood_risk'
      | 'wildfire_underwrite'
      | 'land_cover'
      | 'site_selection'
      | 'building_lookup'
      | 'points_of_interest'
      | 'utilities'
      | 'boundaries'
      | 'solar_siting'
      | 'wind_siting'
      | 'storage_siting'
      | 'data_center_siting'
      | 'grid_interconnect'
      | 'natural_hazard'
      | null;
    /** The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it. */
    readonly release?: string | null;
    readonly format: 'geoparquet' | 'flatgeobuf' | 'arrow' | 'geojsonseq' | 'csv';
  };
  readonly answer: {
    readonly export_id: string;
    readonly status: 'queued';
    /** Path of the export. */
    readonly poll: string;
    /** Path of its events. */
    readonly events: string;
    readonly replayed?: true;
  };
}
