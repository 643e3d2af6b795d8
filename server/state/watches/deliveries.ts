import type { Kysely, Transaction } from 'kysely';
import type { Channel } from '../field-requests/events.ts';
import { addresseeOf, isConfirmed } from '../field-requests/mail-consents.ts';
import type { Callback } from '../field-requests/row.ts';
import type { Effect, JobQueue, NewJob } from '../jobs/queue.ts';
import { unpacked } from '../packed-text.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import type { WatchDeliveryStatus } from './tables.ts';

/** Names one message on one channel. */
export interface WatchDeliveryId {
  readonly watch_id: string;
  readonly release: string;
  readonly channel: Channel;
}

/** Makes the job that sends a message to an account's owner. */
export type WatchDeliveryJob = (id: WatchDeliveryId, account: string) => NewJob;

/** Standing of a message. Instants are epoch milliseconds. */
export interface WatchDeliveryRow extends WatchDeliveryId {
  readonly status: WatchDeliveryStatus;
  /** Why it was not delivered; null otherwise. */
  readonly error: string | null;
  readonly createdAt: number;
}

/** Message to send, with the address that the watch names now. */
export interface WatchDeliveryWork extends WatchDeliveryRow {
  /** JSON text. */
  readonly payload: string;
  /** When its attempts began. */
  readonly startedAt: number;
  readonly callback: Callback | null;
  readonly accountId: string;
}

/** Result of comparing a watch's answer in two releases. */
export interface Compared {
  readonly watchId: string;
  /** That it had been compared with before; another one by now changes nothing. */
  readonly from: string;
  readonly to: string;
  readonly now: number;
  /** Instant up to which publications were seen. */
  readonly seenAt: number;
  /** Event for its owner as packed JSON text; null for none. */
  readonly payload: Uint8Array | null;
  readonly job: WatchDeliveryJob;
}

/** Messages about watches. */
export interface WatchDeliveries {
  /** Effect: an answer was compared; what is to be told waits to be sent. */
  compared(comparison: Compared): Effect;
  delivery(id: WatchDeliveryId): Promise<WatchDeliveryWork | null>;
  /** Messages of the last release of which something was told, and their text. */
  lastEvent(watchId: string): Promise<{ readonly payload: string; readonly deliveries: WatchDeliveryRow[] } | null>;
  /** Effect: holds a message until its address is confirmed, unless it was confirmed meanwhile. */
  held(id: WatchDeliveryId, to: { readonly accountId: string; readonly address: string }, job: NewJob): Effect;
  /** Sends what is held for an address that was confirmed. @param address digest of the address. */
  releaseMail(accountId: string, address: string, now: number, job: WatchDeliveryJob): Promise<void>;
  /** Deletes messages that are older. @returns how many, at most 100. */
  prune(createdUntil: number): Promise<number>;
}

const channelsOf = (callback: Callback): Channel[] => [
  ...(callback.webhook_url === undefined ? [] : (['webhook'] as const)),
  ...(callback.email === undefined ? [] : (['email'] as const)),
];

const callbackOf = (text: string | null): Callback => (text === null ? {} : (JSON.parse(text) as Callback));

/** The change of one message. */
const rowOf = (tx: Kysely<Tables>, { watch_id, release, channel }: WatchDeliveryId) =>
  tx
    .updateTable('watch_deliveries')
    .where('watch_id', '=', watch_id)
    .where('release', '=', release)
    .where('channel', '=', channel);

/** Stores a message on one channel; one about the same release that was gone back to takes the place of the first. */
async function tellIn(tx: Transaction<Tables>, id: WatchDeliveryId, payload: Uint8Array, now: number): Promise<void> {
  const row = { status: 'waiting' as const, payload, error: null, created_at: now, begun_at: now, ended_at: null };
  await tx
    .insertInto('watch_deliveries')
    .values({ ...id, ...row })
    .onConflict(conflict => conflict.columns(['watch_id', 'release', 'channel']).doUpdateSet(row))
    .execute();
}

/** Messages about watches over any Kysely database. */
export function watchDeliveriesIn(db: Kysely<Tables>, jobs: JobQueue): WatchDeliveries {
  return {
    compared:
      ({ watchId, from, to, now, seenAt, payload, job }) =>
      async tx => {
        const watch = await tx
          .updateTable('watches')
          .set({ release: to, queued: null, seen_at: seenAt, ...(payload ? { told_at: now } : {}) })
          .where('id', '=', watchId)
          .where('release', '=', from)
          .where('status', '=', 'active')
          .returning(['account_id', 'callback'])
          .executeTakeFirst();
        if (!watch || !payload) return;
        for (const channel of channelsOf(callbackOf(watch.callback))) {
          const id = { watch_id: watchId, release: to, channel };
          await tellIn(tx, id, payload, now);
          await jobs.enqueueIn(tx, job(id, watch.account_id));
        }
      },
    async delivery({ watch_id, release, channel }) {
      const row = await db
        .selectFrom('watch_deliveries')
        .innerJoin('watches', 'watches.id', 'watch_id')
        .select(['watch_deliveries.status', 'payload', 'error', 'watch_deliveries.created_at', 'begun_at'])
        .select(['callback', 'account_id'])
        .where('watch_id', '=', watch_id)
        .where('watch_deliveries.release', '=', release)
        .where('channel', '=', channel)
        .executeTakeFirst();
      if (!row) return null;
      return {
        ...{ watch_id, release, channel, status: row.status, error: row.error, createdAt: row.created_at },
        startedAt: row.begun_at,
        payload: await unpacked(row.payload),
        callback: row.callback === null ? null : callbackOf(row.callback),
        accountId: row.account_id,
      };
    },
    async lastEvent(watchId) {
      const rows = await db
        .selectFrom('watch_deliveries')
        .select(['release', 'channel', 'status', 'payload', 'error', 'created_at'])
        .where('watch_id', '=', watchId)
        .orderBy('created_at', 'desc')
        .orderBy('channel', 'desc')
        .limit(2)
        .execute();
      const [first] = rows;
      if (!first) return null;
      const deliveries = rows
        .filter(({ release }) => release === first.release)
        .map(({ release, channel, status, error, created_at: createdAt }) => ({
          ...{ watch_id: watchId, release, channel, status, error, createdAt },
        }));
      return { payload: await unpacked(first.payload), deliveries };
    },
    held:
      (id, { accountId, address }, job) =>
      async tx => {
        // As mailHeld of field requests: a confirmation at the same time is seen here, or releases the message itself.
        await rowOf(tx, id).set({ status: 'held' }).where('status', '=', 'waiting').execute();
        if (!(await isConfirmed(tx, accountId, address))) return;
        await rowOf(tx, id).set({ status: 'waiting' }).where('status', '=', 'held').execute();
        await jobs.enqueueIn(tx, job);
      },
    releaseMail: (accountId, address, now, job) =>
      transact(db, async tx => {
        const held = await tx
          .selectFrom('watch_deliveries')
          .innerJoin('watches', 'watches.id', 'watch_id')
          .select(['watch_id', 'watch_deliveries.release', 'channel', 'callback'])
          .where('account_id', '=', accountId)
          .where('watch_deliveries.status', '=', 'held')
          .execute();
        for (const { callback, ...id } of held) {
          const { email } = callbackOf(callback);
          if (email === undefined || addresseeOf(email).address !== address) continue;
          await rowOf(tx, id).set({ status: 'waiting', begun_at: now }).execute();
          await jobs.enqueueIn(tx, job(id, accountId));
        }
      }),
    prune: createdUntil =>
      transact(db, async tx => {
        const old = await tx
          .selectFrom('watch_deliveries')
          .select(['watch_id', 'release', 'channel'])
          .where('created_at', '<=', createdUntil)
          .limit(100)
          .execute();
        for (const { watch_id, release, channel } of old)
          await tx
            .deleteFrom('watch_deliveries')
            .where('watch_id', '=', watch_id)
            .where('release', '=', release)
            .where('channel', '=', channel)
            .execute();
        return old.length;
      }),
  };
}

/**
 * The effect of a message that arrived or failed for good.
 * @param gone the webhook that wants no more messages of this watch. It is deleted unless it was replaced meanwhile; a watch
 * without another channel is stopped.
 */
export const watchDeliveryEnded =
  (
    id: WatchDeliveryId,
    end: { readonly status: 'delivered' | 'failed' | 'ended'; readonly error: string | null; readonly now: number },
    gone?: string,
  ): Effect =>
  async tx => {
    await rowOf(tx, id)
      .set({ status: end.status, error: end.error, ended_at: end.now })
      .where('status', '=', 'waiting')
      .execute();
    if (gone === undefined) return;
    const row = await tx.selectFrom('watches').select('callback').where('id', '=', id.watch_id).executeTakeFirst();
    const { webhook_url, ...rest } = callbackOf(row?.callback ?? null);
    if (webhook_url !== gone) return;
    const left = Object.keys(rest).length > 0;
    await tx
      .updateTable('watches')
      .set({ callback: left ? JSON.stringify(rest) : null, ...(left ? {} : { status: 'stopped' as const }) })
      .where('id', '=', id.watch_id)
      .execute();
  };
