// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The same, as it is written */
export interface AskStream {
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
  readonly answer: string;
}
