// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Owners by name, with what they have */
export interface Owners {
  readonly input: {
    /** Two letters. */
    readonly state: string;
    /** FIPS code, five digits. */
    readonly county?: string;
    readonly name: string;
    /** Default prefix: all words occur, of which the last may be a beginning. exact: the whole name, however it is written. */
    readonly match?: 'prefix' | 'exact';
    /** Default 20. */
    readonly limit?: number;
    /** `next_cursor` of the page before. */
    readonly cursor?: string;
    /** The release to answer from: an id as `X-Service-Release` names it, or a day as `2026-11-20` for the one that was published last by its end in UTC. The current one without it. */
    readonly release?: string;
  };
  readonly answer: {
    /** Those with most parcels first. */
    readonly owners: readonly {
      /** For POST /v1/owners/parcels. */
      readonly owner_id: string;
      /** The spelling of most parcels. */
      readonly owner: string;
      /** At most 20. */
      readonly spellings: readonly string[];
      readonly parcels: number;
      /** Ground counted once; null where no parcel has a value. */
      readonly acres: number | null;
      /** Sum of the parcel values that the county has. */
      readonly value_usd: number | null;
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
