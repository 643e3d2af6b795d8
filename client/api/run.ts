// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { FieldRecord, GeocodeBlock, PartialFailure, ResolvedLocation } from './schemas.ts';

/** A run */
export interface Run {
  readonly input: {
    readonly run_id: string;
  };
  readonly answer: {
    readonly run_id: string;
    readonly kind: 'fetch_batch';
    /** It ends as `done`, with its result, or `failed`, with `error`; a run that failed costs nothing. */
    readonly status: 'queued' | 'running' | 'done' | 'failed';
    readonly created_at: string;
    readonly updated_at: string;
    readonly expires_at: string;
    readonly progress: {
      readonly done: number;
      readonly total: number;
    };
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
    /** Once it is done what POST /v1/fetch/batch would have answered; null before. */
    readonly result: {
      readonly fetched_at: string;
      /** `results[i]` answers `locations[i]`. */
      readonly results: readonly (
        | {
            readonly index: number;
            readonly ok: true;
            readonly lat: number;
            readonly lng: number;
            readonly fetched_at: string;
            readonly fields: { readonly [name: string]: FieldRecord };
            readonly partial_failures: readonly PartialFailure[];
            readonly resolved_location: ResolvedLocation;
            readonly geocode?: GeocodeBlock;
          }
        | {
            readonly index: number;
            readonly ok: false;
            readonly error: {
              readonly error: string;
              readonly message: string;
              readonly retryable: boolean;
            };
          }
      )[];
      /** Only on a stored result; it costs nothing. */
      readonly replayed?: true;
    } | null;
    readonly error: {
      readonly error: string;
      readonly message: string;
      readonly retryable: boolean;
    } | null;
  };
}
