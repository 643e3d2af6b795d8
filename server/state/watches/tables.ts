import type { Channel } from '../field-requests/events.ts';

/** Standing of a message: `held` until its address is confirmed, `ended` when nobody wants it. */
export type WatchDeliveryStatus = 'waiting' | 'held' | 'delivered' | 'failed' | 'ended';

/** Tables of watches. Instants are epoch milliseconds. */
export interface WatchTables {
  watches: {
    id: string;
    account_id: string;
    /** `stopped`: nobody takes its news any more. */
    status: 'active' | 'stopped';
    /** JSON text. */
    about: string;
    /** Packed JSON text. */
    subject: Uint8Array;
    /** JSON text of a list of names. */
    fields: string;
    /** JSON text; null where every channel has ended. */
    callback: string | null;
    /** That its answer was compared with last. */
    release: string;
    /** That a job compares it with, or has it waiting; null where none does. */
    queued: string | null;
    /** Instant up to which publications were seen. */
    seen_at: number;
    told_at: number | null;
    created_at: number;
  };
  watch_deliveries: {
    watch_id: string;
    release: string;
    channel: Channel;
    status: WatchDeliveryStatus;
    /** Packed JSON text. */
    payload: Uint8Array;
    error: string | null;
    created_at: number;
    begun_at: number;
    ended_at: number | null;
  };
}
