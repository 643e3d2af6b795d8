// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** A batch that is answered in the background */
export interface SubmitRun {
  readonly input: {
    readonly kind: 'fetch_batch';
    /** `fields` and `preset` apply to every location; at least one of them is needed. */
    readonly request: {
      /** Places, each as `lat` and `lng` or as `address`. */
      readonly locations: readonly {
        /** Latitude in WGS84 degrees; together with `lng`. */
        readonly lat?: number | null;
        /** Longitude in WGS84 degrees; together with `lat`. */
        readonly lng?: number | null;
        /** Street address, instead of a coordinate. */
        readonly address?: string | null;
      }[];
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
    };
  };
  readonly answer: {
    readonly run_id: string;
    readonly status: 'queued';
    /** Path of the run. */
    readonly poll: string;
    /** Path of its events. */
    readonly events: string;
    readonly replayed?: true;
  };
}
