// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The ground on which something can be built */
export interface Buildable {
  readonly input: {
    /** As enrichment, lookup and ranks answer it. */
    readonly parcel_id?: string;
    /** A registered site of the account. */
    readonly site_id?: string;
    /** A GeoJSON Polygon or MultiPolygon in WGS84. */
    readonly geometry?: unknown;
    /** The parcel at a coordinate. */
    readonly lat?: number;
    readonly lng?: number;
    readonly address?: string;
    /** solar, wind, storage, data_center, housing, or a name of GET /v1/buildable/templates. What the body says itself overrides it. */
    readonly template?: string;
    /** Ground to keep clear of. One of a layer of the template takes the place of what that says of it. */
    readonly exclusions?: readonly {
      /** `dataset:layer`, or the dataset for its main layer, as coverage lists them. */
      readonly layer: string;
      /** Features that count: a condition on the publisher's columns, such as `SFHA_TF = 'T'`; of a raster on `value`. */
      readonly where?: string;
      /** Meters about them. */
      readonly setback_m?: number;
      /** Instead: international feet. */
      readonly setback_ft?: number;
    }[];
    readonly boundary_setback_m?: number;
    /** Of the cells of the elevation model. */
    readonly max_slope_percent?: number;
    /** Narrower strips go. */
    readonly min_width_m?: number;
    /** Smaller pieces go. */
    readonly min_piece_acres?: number;
    /** True: each exclusion shows its ground. */
    readonly exclusion_geometry?: boolean;
    /** The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it. */
    readonly release?: string;
  };
  readonly answer: {
    readonly gross_acres: number;
    readonly buildable_acres: number | null;
    readonly largest_piece_acres: number | null;
    readonly undecidable_fraction: number | null;
    readonly geometry: {
      readonly type: 'Polygon' | 'MultiPolygon';
      readonly coordinates: readonly unknown[];
    } | null;
    readonly exclusions: readonly {
      /** `boundary` is the setback from the boundary of the ground itself. */
      readonly layer: string;
      readonly alone_acres: number | null;
      readonly last_acres: number | null;
      readonly status: 'ok' | 'absent' | 'failed';
      readonly source: string | null;
      readonly source_url: string | null;
      readonly dataset_vintage: string | null;
      readonly geometry?: {
        readonly type: 'Polygon' | 'MultiPolygon';
        readonly coordinates: readonly unknown[];
      } | null;
    }[];
    /** Layers of which nothing is known here, and why. */
    readonly partial_failures: readonly {
      readonly layer: string;
      readonly error: string;
      readonly retryable: boolean;
    }[];
    /** `complete`: all that was asked about was read. `partial`: some of it was not, so that more may be true. */
    readonly status: 'complete' | 'partial';
    /** Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or county is not here or cannot be read; `timeout`. */
    readonly completion_reason: 'exhausted' | 'source_unavailable' | 'timeout';
    readonly request_id: string;
  };
}
