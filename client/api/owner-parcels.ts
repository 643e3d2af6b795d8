// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The parcels of one owner */
export interface OwnerParcels {
  readonly input: {
    readonly owner_id: string;
    /** Default 20. */
    readonly limit?: number;
    /** `next_cursor` of the page before. */
    readonly cursor?: string;
    /** The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it. */
    readonly release?: string;
  };
  readonly answer: {
    readonly matches: readonly {
      readonly apn: string | null;
      readonly address: string | null;
      readonly state: string;
      readonly county: string | null;
      readonly city: string | null;
      readonly acreage: number | null;
      readonly source: string;
      readonly analysis_point: {
        readonly lat: number;
        readonly lng: number;
        readonly method: string;
      };
      readonly fields: { readonly [name: string]: unknown };
      /** For each name in `fields`: `ok`; `absent`, the source has no value (not zero, not false); `failed`, it could not be read. */
      readonly field_status: { readonly [name: string]: 'ok' | 'absent' | 'failed' };
      /** Only with `enrich: true`. */
      readonly enrichment?: {
        readonly fetched_at: string;
        readonly analysis_point: {
          readonly lat: number;
          readonly lng: number;
          readonly method: string;
          readonly source: string;
        };
        /** Records as POST /v1/enrich answers them, in the same order. */
        readonly fields: { readonly [name: string]: unknown };
        readonly partial_failures: readonly {
          readonly field: string;
          readonly source: string;
          readonly error: string;
          readonly retryable: boolean;
        }[];
      };
      readonly parcel_id: string;
    }[];
    /** Null: this is the last page. */
    readonly next_cursor: string | null;
    /** `complete`: all that was asked about was read. `partial`: some of it was not, so that more may be true. */
    readonly status: 'complete' | 'partial';
    /** Of `complete`: `exhausted`. Of `partial`: `source_unavailable`, data of a state or county is not here or cannot be read; `timeout`. */
    readonly completion_reason: 'exhausted' | 'source_unavailable' | 'timeout';
    readonly request_id: string;
  };
}
