// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Rows and price of an export, without making it */
export interface QuoteExport {
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
    /** Resolved names: the preset, then `fields`, each once. */
    readonly fields: readonly string[];
    readonly field_count: number;
    readonly preset: string | null;
    readonly locations: number;
    readonly plan: string;
    readonly credits_per_location: number;
    readonly credits_total: number;
    readonly breakdown: {
      readonly per_field: {
        /** Fields a location that are charged one by one. */
        readonly fields: number;
        readonly credits_each: number;
        /** Over all locations. */
        readonly credits: number;
      };
      readonly metered_groups: {
        readonly parcel_record: {
          /** Fields a location that are charged as a group. */
          readonly fields: number;
          /** Over all locations. */
          readonly credits: number;
          /** Whether the group is part of the total. */
          readonly billed: boolean;
        };
      };
    };
    readonly allowance: {
      /** Of the plan, a calendar month. */
      readonly credits_included: number;
      /** With what running requests have reserved. */
      readonly credits_used: number;
      /** Of the included ones. */
      readonly credits_remaining: number;
      readonly self_imposed_limit: number | null;
      /** The tighter of the plan's and the account's own limit. */
      readonly effective_limit: number;
      /** The 1st of next month, 00:00 UTC. */
      readonly resets_at: string;
      /** The total is more than `credits_remaining`. */
      readonly would_exceed_allowance: boolean;
      /** The total is more than the effective limit leaves: a fetch would be refused, a batch answered in part or refused. */
      readonly would_be_blocked: boolean;
      /** Which limit blocks; `self` when it is the tighter one. */
      readonly limited_by: 'plan' | 'self' | 'none';
    };
    readonly notes: readonly string[];
  };
}
