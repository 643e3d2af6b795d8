// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Sums of a portfolio's values about each of its points */
export interface Accumulation {
  readonly input: {
    /** A portfolio that POST /v1/uploads took, each row with `lat` and `lng`. */
    readonly upload_id: string;
    /** The column whose numbers are summed, such as insured values. */
    readonly value: string;
    /** Geodesic meters about each point. */
    readonly within_m: number;
    /** Circles that are answered, those with the largest sums. */
    readonly limit?: number;
    /** The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it. */
    readonly release?: string;
  };
  readonly answer: {
    readonly rows: number;
    /** Rows without a number in the column: they add nothing. */
    readonly without_value: number;
    /** Of all rows. */
    readonly total: number;
    readonly worst: {
      /** Of the upload, from 1. */
      readonly row: number;
      readonly custom_id: string | null;
      /** Of all rows within the distance, this one among them. */
      readonly sum: number;
      /** How many they are: rows with a value. */
      readonly points: number;
      readonly lat: number;
      readonly lng: number;
    } | null;
    /** Circles about rows, the one with the largest sum first, equal ones in the order of the upload; as many as `limit` says. */
    readonly circles: readonly {
      /** Of the upload, from 1. */
      readonly row: number;
      readonly custom_id: string | null;
      /** Of all rows within the distance, this one among them. */
      readonly sum: number;
      /** How many they are: rows with a value. */
      readonly points: number;
      readonly lat: number;
      readonly lng: number;
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
