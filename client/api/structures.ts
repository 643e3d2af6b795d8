// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** What the flood map says about each building */
export interface Structures {
  readonly input: {
    /** As enrichment, lookup and ranks answer it. */
    readonly parcel_id?: string;
    /** A GeoJSON Polygon or MultiPolygon in WGS84. */
    readonly geometry?: unknown;
    /** The parcel at a coordinate. */
    readonly lat?: number;
    /** With `lat`. */
    readonly lng?: number;
    /** The parcel of an address. */
    readonly address?: string;
    /** The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it. */
    readonly release?: string;
  };
  readonly answer: {
    readonly ground_acres: number;
    /** Coverage of the building footprints there. */
    readonly footprints: {
      readonly status: 'ok' | 'absent' | 'failed';
      readonly reason: string | null;
      readonly retryable: boolean;
      readonly source: string;
      readonly source_url: string | null;
      readonly dataset_vintage: string | null;
    };
    readonly count: number | null;
    /** The largest first, 200 at most. */
    readonly structures: readonly {
      readonly structure_id: string | null;
      /** A point inside. */
      readonly lat: number;
      readonly lng: number;
      readonly area_m2: number;
      /** The share of the footprint on the ground that was asked about. */
      readonly share_on_ground: number;
      readonly occupancy_class: string | null;
      /** The footprint. */
      readonly geometry: {
        readonly type: 'Polygon' | 'MultiPolygon';
        readonly coordinates: readonly unknown[];
      };
      readonly source: string;
      readonly source_url: string | null;
      readonly dataset_vintage: string | null;
      /** The 1 percent annual chance flood. */
      readonly special_flood_hazard_area: {
        /** Inside where any part of the footprint is. Not decidable within the stated accuracy of the map, and where nobody has studied the hazard. */
        readonly verdict: 'inside' | 'outside' | 'not_decidable' | null;
        readonly share: number | null;
        readonly share_least: number | null;
        readonly share_most: number | null;
        readonly status: 'ok' | 'absent' | 'failed';
        readonly reason: string | null;
        readonly retryable: boolean;
        readonly source: string;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
      };
      readonly flood_zone: {
        readonly zone: string | null;
        readonly shares: readonly {
          readonly zone: string;
          readonly share: number;
        }[];
        readonly status: 'ok' | 'absent' | 'failed';
        readonly reason: string | null;
        readonly retryable: boolean;
        readonly source: string;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
      };
      /** The 0.2 percent annual chance flood, outside the special flood hazard area. */
      readonly floodplain_500yr: {
        /** Inside where any part of the footprint is. Not decidable within the stated accuracy of the map, and where nobody has studied the hazard. */
        readonly verdict: 'inside' | 'outside' | 'not_decidable' | null;
        readonly share: number | null;
        readonly share_least: number | null;
        readonly share_most: number | null;
        readonly status: 'ok' | 'absent' | 'failed';
        readonly reason: string | null;
        readonly retryable: boolean;
        readonly source: string;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
      };
      /** Above NAVD 88, of the terrain. */
      readonly lowest_ground: {
        readonly value_m: number | null;
        readonly error_m: number | null;
        readonly status: 'ok' | 'absent' | 'failed';
        readonly reason: string | null;
        readonly retryable: boolean;
        readonly source: string;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
      };
      /** The highest that the map states under the footprint, above NAVD 88. */
      readonly base_flood_elevation: {
        readonly value_m: number | null;
        readonly error_m: number | null;
        readonly status: 'ok' | 'absent' | 'failed';
        readonly reason: string | null;
        readonly retryable: boolean;
        readonly source: string;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
      };
      /** Of the lowest ground; below 0 it lies under the flood. */
      readonly height_above_base_flood: {
        /** Not decidable within twice the error. */
        readonly verdict: 'above' | 'below' | 'not_decidable' | null;
        readonly value_m: number | null;
        readonly error_m: number | null;
        readonly status: 'ok' | 'absent' | 'failed';
        readonly reason: string | null;
        readonly retryable: boolean;
        readonly source: string;
        readonly source_url: string | null;
        readonly dataset_vintage: string | null;
      };
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
