// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { AskTrace, Citation, DataGap, GeocodeBlock, ResolvedLocation } from './schemas.ts';

/** A question about one place, answered with citations */
export interface Ask {
  readonly input: {
    /** In plain language, English or Spanish; answered in that language. */
    readonly question: string;
    /** Latitude in WGS84 degrees; together with `lng`. */
    readonly lat?: number | null;
    /** Longitude in WGS84 degrees; together with `lat`. */
    readonly lng?: number | null;
    /** Street address, instead of a coordinate. */
    readonly address?: string | null;
    /** Adds `trace`; default false. */
    readonly include_trace?: boolean;
  };
  readonly answer: {
    readonly lat: number;
    readonly lng: number;
    readonly question: string;
    readonly answered_at: string;
    readonly answer: string;
    readonly confidence: 'high' | 'medium' | 'low';
    readonly citations: readonly Citation[];
    /** Fields with a value that the answer rests on. */
    readonly fields_used: readonly string[];
    /** Planned fields without a value, each with the reason. */
    readonly data_gaps: readonly DataGap[];
    readonly resolved_location: ResolvedLocation;
    readonly geocode?: GeocodeBlock;
    readonly trace?: AskTrace;
  };
}
