// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The field requests of the account */
export interface ListFieldRequests {
  readonly input: {
    /** Entries of a page, 1 to 50; 20 by default. */
    readonly limit?: string;
    /** `next_cursor` of the page before; valid one hour. */
    readonly cursor?: string;
  };
  readonly answer: {
    /** As GET /v1/field-requests/{request_id} has them, without `context_blob`. */
    readonly field_requests: readonly {
      readonly request_id: string;
      /** Its step. `waiting_on` says whose turn it is. */
      readonly status:
        | 'received'
        | 'screening'
        | 'matched'
        | 'awaiting_confirm'
        | 'rejected'
        | 'queued'
        | 'claimed'
        | 'building'
        | 'in_review'
        | 'approved'
        | 'publishing'
        | 'live'
        | 'blocked'
        | 'expired';
      /** Whom it waits for. */
      readonly waiting_on: 'requester' | 'operator' | null;
      /** Reserved. */
      readonly phase: null;
      /** 1 is next, 0 is worked on; null without a build ticket. */
      readonly queue_position: number | null;
      /** Promised when it was accepted, never changed. */
      readonly estimated_ready_at: string | null;
      readonly resolved_locations: readonly {
        readonly index: number;
        readonly resolved_location: {
          readonly lat: number;
          readonly lng: number;
          readonly source: 'coordinate' | 'address';
        };
        readonly resolved_address?: string;
      }[];
      readonly disposition: readonly {
        readonly ask: string;
        readonly disposition: 'matched' | 'near_miss' | 'clarify' | 'accepted_new' | 'refused';
        /** The catalog field, where there is one. */
        readonly field_id: string | null;
        /** While it is to be built. */
        readonly estimated_ready_at: string | null;
        /** The call that gives the value. */
        readonly resume: {
          readonly method: 'POST';
          readonly url: string;
          /** A fetch request, as it stands. */
          readonly body: { readonly [name: string]: unknown };
        } | null;
        readonly explanation: string;
        readonly values?: readonly { readonly [name: string]: unknown }[];
        readonly candidates?: readonly {
          readonly field_id: string;
          readonly title: string;
        }[];
        readonly code?: string;
        readonly suggestion?: string;
        readonly confidence?: string;
        /** Must travel with a citation of the value. */
        readonly caveat?: string | null;
      }[];
      /** The first one of `disposition`. */
      readonly resume: {
        readonly method: 'POST';
        readonly url: string;
        /** A fetch request, as it stands. */
        readonly body: { readonly [name: string]: unknown };
      } | null;
      readonly created_at: string;
      readonly updated_at: string;
    }[];
    /** Null: this is the last page. */
    readonly next_cursor: string | null;
  };
}
