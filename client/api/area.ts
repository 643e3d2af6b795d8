// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { ResolvedLocation } from './schemas.ts';

/** The area within a distance or a drive of a place */
export interface Area {
  readonly input: {
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
    /** The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it. */
    readonly release?: string;
  };
  readonly answer: {
    /** A value for `geometry` of POST /v1/search: valid and within its limits. */
    readonly geometry: {
      readonly type: 'Polygon' | 'MultiPolygon';
      readonly coordinates: readonly unknown[];
    };
    /** International acres, geodesic. */
    readonly acres: number;
    /** Closing ones counted. */
    readonly vertices: number;
    readonly resolved_location?: ResolvedLocation;
    readonly status: 'complete';
    readonly completion_reason: 'exhausted';
    readonly request_id: string;
  };
}
