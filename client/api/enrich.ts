// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { EnrichRecord, GeocodeBlock, ParcelMatch, PartialFailure, ResolvedLocation } from './schemas.ts';

/** Everything known of one parcel */
export interface Enrich {
  readonly input: {
    /** Latitude in WGS84 degrees; together with `lng`. */
    readonly lat?: number | null;
    /** Longitude in WGS84 degrees; together with `lat`. */
    readonly lng?: number | null;
    /** Street address, instead of a coordinate. */
    readonly address?: string | null;
    /** Enrich field ids; as many as are wanted. */
    readonly fields?: readonly string[] | null;
    /** A named list of fields; `fields` are added to it. Without either all fields are answered. */
    readonly preset?:
      | 'parcel'
      | 'zoning'
      | 'buildings'
      | 'valuation'
      | 'legal'
      | 'power'
      | 'access'
      | 'water'
      | 'terrain'
      | 'environment'
      | 'climate'
      | 'hazards'
      | 'market'
      | 'constraints'
      | null;
    /** The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it. */
    readonly release?: string | null;
  };
  readonly answer: {
    readonly lat: number;
    readonly lng: number;
    readonly fetched_at: string;
    readonly resolved_location: ResolvedLocation;
    readonly geocode?: GeocodeBlock;
    readonly analysis_point: {
      readonly lat: number;
      readonly lng: number;
      readonly method: 'stored_parcel_centroid' | 'input_fallback';
      readonly source: string;
    } | null;
    readonly parcel_match: ParcelMatch;
    /** In the order of the presets, whatever the order of the request. Empty unless the parcel matched. */
    readonly fields: { readonly [name: string]: EnrichRecord };
    readonly partial_failures: readonly PartialFailure[];
  };
}
