import type { Generated } from 'kysely';
import type { Channel, EventType } from './events.ts';
import type { Status } from './states.ts';

/** Tables of field requests. Instants are epoch milliseconds; columns of text that hold lists or objects hold JSON. */
export interface FieldRequestTables {
  field_requests: {
    id: string;
    account_id: string;
    /** Digest of the idempotency key; null without one. */
    key_hash: string | null;
    /** Of the canonical body without key, callback and context_blob. */
    body_hash: string;
    /** Packed JSON text of the request without key, callback and context_blob. */
    body: Uint8Array;
    status: Status;
    waiting_on: 'requester' | 'operator' | null;
    locations: string;
    disposition: string;
    callback: string | null;
    /** JSON text of the string, so that any character can be stored. */
    context_blob: string | null;
    build: string | null;
    queued_at: number | null;
    /** Turn in the queue: of two tickets the one of the lower turn comes first. */
    queue_turn: Generated<number>;
    estimated_ready_at: number | null;
    created_at: number;
    updated_at: number;
    /** When it reached a final state. */
    settled_at: number | null;
    scrubbed_at: number | null;
  };
  field_request_events: {
    request_id: string;
    seq: number;
    at: number;
    actor: string;
    from_status: Status | null;
    to_status: Status;
    reason: string;
  };
  /** Messages to requesters: one row for each event and channel. */
  field_request_deliveries: {
    request_id: string;
    event_type: EventType;
    channel: Channel;
    /**
     * `held`: until its address is confirmed; `failed`: given up after all attempts; `ended`: the receiver wants no more
     * messages.
     */
    status: 'waiting' | 'held' | 'delivered' | 'failed' | 'ended';
    /** JSON text, made when the event happened. */
    payload: string;
    error: string | null;
    created_at: number;
    /** When it was last set to waiting. Its three days of attempts start then. */
    begun_at: number;
    ended_at: number | null;
  };
  /** Addresses whose owners let an account's requests be told to them, as digests. */
  mail_consents: { account_id: string; address: string; confirmed_at: number };
  /** Mailboxes whose owners want no mail about field requests of anybody, as digests. */
  mail_stops: { mailbox: string; stopped_at: number };
}
