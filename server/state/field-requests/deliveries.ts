import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Effect, JobQueue, NewJob } from '../jobs/queue.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import type { Channel, DeliveryId, EventType } from './events.ts';
import type { Callback, FieldRequestRow } from './row.ts';

/** A message for the requester, sent on every channel that the request names. */
export interface News {
  readonly event: EventType;
  /** Makes the message from the request as it is after the step. */
  readonly payload: (row: FieldRequestRow) => object;
  /** The job that sends it to the account's requester. */
  readonly job: (id: DeliveryId, account: string) => NewJob;
}

/** One message on one channel. Instants are epoch milliseconds. */
export interface DeliveryRow extends DeliveryId {
  readonly status: Tables['field_request_deliveries']['status'];
  /** Why the delivery failed; null otherwise. */
  readonly error: string | null;
  readonly createdAt: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** What to send, and to which address: the one that the request names now. */
export interface DeliveryWork extends DeliveryRow {
  /** JSON text. */
  readonly payload: string;
  readonly callback: Callback | null;
  readonly accountId: string;
}

export interface DeliveryRecords {
  /** Effect: ends mails that were held until their address is confirmed, at least since then. */
  lapseDeliveries(heldSince: number, now: number): Effect;
  /** The newest first. */
  deliveries(query: {
    readonly requestId?: string;
    readonly status?: DeliveryRow['status'];
    readonly limit: number;
  }): Promise<DeliveryRow[]>;
  delivery(id: DeliveryId): Promise<DeliveryWork | null>;
  /** Sends it again, whatever its state. @returns false when there is none, or it already waits to be sent. */
  resend(id: DeliveryId, job: News['job'], now: number): Promise<boolean>;
}

const COLUMNS = [
  'request_id',
  'event_type',
  'channel',
  'field_request_deliveries.status',
  'error',
  'field_request_deliveries.created_at',
  'begun_at',
  'ended_at',
] as const;

type Columns = Omit<Selectable<Tables['field_request_deliveries']>, 'payload'>;

const toDelivery = (row: Columns): DeliveryRow => ({
  request_id: row.request_id,
  event_type: row.event_type,
  channel: row.channel,
  status: row.status,
  error: row.error,
  createdAt: row.created_at,
  startedAt: row.begun_at,
  endedAt: row.ended_at,
});

const channelsOf = (callback: Callback | null): Channel[] => [
  ...(callback?.webhook_url === undefined ? [] : (['webhook'] as const)),
  ...(callback?.email === undefined ? [] : (['email'] as const)),
];

/** Stores a message and enqueues its delivery, in the transaction of the event. Each event is told once. */
export async function tellIn(
  tx: Transaction<Tables>,
  jobs: JobQueue,
  row: FieldRequestRow,
  { event, payload, job }: News,
  now: number,
): Promise<void> {
  for (const channel of channelsOf(row.callback)) {
    const id: DeliveryId = { request_id: row.id, event_type: event, channel };
    const added = await tx
      .insertInto('field_request_deliveries')
      .values({
        ...id,
        status: 'waiting',
        payload: JSON.stringify(payload(row)),
        error: null,
        created_at: now,
        begun_at: now,
        ended_at: null,
      })
      .onConflict(conflict => conflict.columns(['request_id', 'event_type', 'channel']).doNothing())
      .returning('request_id')
      .executeTakeFirst();
    if (added) await jobs.enqueueIn(tx, job(id, row.accountId));
  }
}

/** Deliveries over any Kysely database. */
export function deliveriesIn(db: Kysely<Tables>, jobs: JobQueue): DeliveryRecords {
  return {
    lapseDeliveries: (heldSince, now) => async tx => {
      await tx
        .updateTable('field_request_deliveries')
        .set({ status: 'ended', error: 'nobody confirmed the address', ended_at: now })
        .where('status', '=', 'held')
        .where('begun_at', '<=', heldSince)
        .execute();
    },
    async deliveries({ requestId, status, limit }) {
      let query = db
        .selectFrom('field_request_deliveries')
        .select(COLUMNS)
        .orderBy('created_at', 'desc')
        .orderBy('request_id')
        .orderBy('channel')
        .limit(limit);
      if (requestId !== undefined) query = query.where('request_id', '=', requestId);
      if (status !== undefined) query = query.where('status', '=', status);
      return (await query.execute()).map(toDelivery);
    },
    async delivery({ request_id, event_type, channel }) {
      const row = await db
        .selectFrom('field_request_deliveries')
        .innerJoin('field_requests', 'field_requests.id', 'request_id')
        .select(COLUMNS)
        .select(['payload', 'callback', 'account_id'])
        .where('request_id', '=', request_id)
        .where('event_type', '=', event_type)
        .where('channel', '=', channel)
        .executeTakeFirst();
      if (!row) return null;
      const callback = row.callback === null ? null : (JSON.parse(row.callback) as Callback);
      return { ...toDelivery(row), payload: row.payload, callback, accountId: row.account_id };
    },
    resend: ({ request_id, event_type, channel }, job, now) =>
      transact(db, async tx => {
        const again = await tx
          .updateTable('field_request_deliveries')
          .set({ status: 'waiting', error: null, begun_at: now, ended_at: null })
          .where('request_id', '=', request_id)
          .where('event_type', '=', event_type)
          .where('channel', '=', channel)
          .where('status', '!=', 'waiting')
          .returning('request_id')
          .executeTakeFirst();
        if (!again) return false;
        const { account_id: account } = await tx
          .selectFrom('field_requests')
          .select('account_id')
          .where('id', '=', request_id)
          .executeTakeFirstOrThrow();
        await jobs.enqueueIn(tx, job({ request_id, event_type, channel }, account));
        return true;
      }),
  };
}

/**
 * The effect of a delivery that arrived or failed for good.
 * @param gone the webhook that wants no more messages about this request. It is deleted unless it was replaced
 * meanwhile.
 */
export const deliveryEnded =
  (
    { request_id, event_type, channel }: DeliveryId,
    end: { readonly status: 'delivered' | 'failed' | 'ended'; readonly error: string | null; readonly now: number },
    gone?: string,
  ): Effect =>
  async tx => {
    await tx
      .updateTable('field_request_deliveries')
      .set({ status: end.status, error: end.error, ended_at: end.now })
      .where('request_id', '=', request_id)
      .where('event_type', '=', event_type)
      .where('channel', '=', channel)
      .where('status', '=', 'waiting')
      .execute();
    if (gone === undefined) return;
    const row = await tx
      .selectFrom('field_requests')
      .select('callback')
      .where('id', '=', request_id)
      .executeTakeFirst();
    const { webhook_url, ...rest } = (row?.callback ? JSON.parse(row.callback) : {}) as Callback;
    if (webhook_url !== gone) return;
    await tx
      .updateTable('field_requests')
      .set({ callback: Object.keys(rest).length > 0 ? JSON.stringify(rest) : null })
      .where('id', '=', request_id)
      .execute();
  };
