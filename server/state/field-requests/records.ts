import type { Kysely, Transaction } from 'kysely';
import type { Effect, JobQueue, NewJob } from '../jobs/queue.ts';
import type { ListPart } from '../lists/list-place.ts';
import { packed } from '../packed-text.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import { type DeliveryRecords, deliveriesIn, type News } from './deliveries.ts';
import { type MailConsents, mailConsentsIn, releaseHeldIn } from './mail-consents.ts';
import { byId, type Move, moveIn, rowsOf, writeEvent } from './moves.ts';
import { bodyOf, type Callback, type ExampleLocation, type FieldRequestRow, toRow } from './row.ts';
import type { Status } from './states.ts';
import { type Upkeep, upkeepIn } from './upkeep.ts';

export type { Move } from './moves.ts';

/** What identifies a filing under an idempotency key. */
export interface FilingKey {
  readonly accountId: string;
  /** Null without an idempotency key. */
  readonly keyHash: string | null;
  readonly bodyHash: string;
  /** Null when the filing names none. */
  readonly callback: Callback | null;
  readonly contextBlob: string | null;
  readonly now: number;
  /** Makes the job that sends a message: mail that is held is tried with the address of a new callback. */
  readonly delivery?: News['job'];
}

export interface Filing extends FilingKey {
  readonly id: string;
  readonly body: object;
  readonly locations: readonly ExampleLocation[];
  readonly by: string;
  /** The first job for the request. */
  readonly job?: NewJob;
  /** Most requests of the account that have not ended, this one included; any number without it. */
  readonly mostOpen?: number;
}

/** What a filing finds under its key; null when the key is new. */
type Replayed = { readonly row: FieldRequestRow } | 'reused' | null;

/** A recorded step. */
interface FieldRequestEvent {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly from: Status | null;
  readonly to: Status;
  readonly reason: string;
}

/** Field requests and their history. */
export interface FieldRequestRecords extends DeliveryRecords, MailConsents, Upkeep {
  /** Finds an earlier filing under the key. A callback in this one replaces its callback; its context_blob stays. */
  replay(key: FilingKey): Promise<Replayed>;
  /** Stores a request. When its key was used before, does what `replay` does. @returns `limited` for one too many. */
  file(filing: Filing): Promise<{ readonly row: FieldRequestRow; readonly filed: boolean } | 'reused' | 'limited'>;
  /** Requests of the account that have not ended. */
  open(accountId: string): Promise<number>;
  /** A request of the account; null when the account has none of that id. */
  request(accountId: string, id: string): Promise<FieldRequestRow | null>;
  /** Requests of the account, newest first. */
  listOf(accountId: string, part: ListPart): Promise<FieldRequestRow[]>;
  /** A request of any account, for operators and jobs; null when there is none. */
  find(id: string): Promise<FieldRequestRow | null>;
  /** The request as it was filed, without key, callback and context_blob. */
  body<T>(id: string): Promise<T | null>;
  /** Requests, oldest first. Those of one status come in the order of the queue. */
  list(query: {
    readonly status?: Status;
    readonly waitingOn?: 'requester' | 'operator';
    readonly limit: number;
  }): Promise<FieldRequestRow[]>;
  /** Takes a step. @returns null, with nothing changed, when the request is in none of the states it may start from. */
  move(move: Move): Promise<FieldRequestRow | null>;
  /** Takes the step as the effect of a job. */
  moved(move: Move): Effect;
  /** Steps of a request, in order. */
  events(id: string): Promise<FieldRequestEvent[]>;
}

/** Undoes a filing that would be one too many. */
class TooMany extends Error {}

/** Requests of the account that have not ended. */
async function openIn(on: Kysely<Tables>, accountId: string): Promise<number> {
  const { open } = await on
    .selectFrom('field_requests')
    .select(eb => eb.fn.countAll<number>().as('open'))
    .where('account_id', '=', accountId)
    .where('settled_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(open);
}

/** Field requests over any Kysely database. */
export function fieldRequestsIn(db: Kysely<Tables>, jobs: JobQueue): FieldRequestRecords {
  async function replayIn(tx: Transaction<Tables>, key: FilingKey): Promise<Replayed> {
    if (key.keyHash === null) return null;
    const found = await tx
      .selectFrom('field_requests')
      .select(['id', 'body_hash'])
      .where('account_id', '=', key.accountId)
      .where('key_hash', '=', key.keyHash)
      .executeTakeFirst();
    if (!found) return null;
    if (found.body_hash !== key.bodyHash) return 'reused';
    if (key.callback !== null || key.contextBlob !== null) {
      const blob = key.contextBlob === null ? null : JSON.stringify(key.contextBlob);
      await tx
        .updateTable('field_requests')
        .set(eb => ({
          ...(key.callback === null ? {} : { callback: JSON.stringify(key.callback) }),
          ...(blob === null ? {} : { context_blob: eb.fn.coalesce('context_blob', eb.val(blob)) }),
          updated_at: key.now,
        }))
        .where('id', '=', found.id)
        .execute();
      if (key.callback?.email !== undefined && key.delivery)
        await releaseHeldIn(tx, jobs, { id: found.id, accountId: key.accountId }, key.now, key.delivery);
    }
    return { row: (await byId(tx, found.id))! };
  }

  return {
    ...deliveriesIn(db, jobs),
    ...mailConsentsIn(db, jobs),
    ...upkeepIn(db),
    open: accountId => openIn(db, accountId),
    replay: key => transact(db, tx => replayIn(tx, key)),
    async file(filing) {
      const { id, accountId, keyHash, bodyHash, callback, contextBlob, locations, now } = filing;
      const body = await packed(JSON.stringify(filing.body));
      return transact<{ row: FieldRequestRow; filed: boolean } | 'reused'>(db, async tx => {
        const filed = await tx
          .insertInto('field_requests')
          .values({
            id,
            account_id: accountId,
            key_hash: keyHash,
            body_hash: bodyHash,
            body,
            status: 'received',
            waiting_on: null,
            locations: JSON.stringify(locations),
            disposition: '[]',
            callback: callback === null ? null : JSON.stringify(callback),
            context_blob: contextBlob === null ? null : JSON.stringify(contextBlob),
            build: null,
            queued_at: null,
            estimated_ready_at: null,
            created_at: now,
            updated_at: now,
            settled_at: null,
            scrubbed_at: null,
          })
          .onConflict(conflict => conflict.columns(['account_id', 'key_hash']).doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!filed) {
          const replayed = await replayIn(tx, filing);
          return replayed === 'reused' ? replayed : { row: replayed!.row, filed: false };
        }
        if (filing.mostOpen !== undefined) {
          // The lock on the account's row: of two filings at once the second counts the first.
          await tx
            .updateTable('accounts')
            .set(eb => ({ plan: eb.ref('plan') }))
            .where('id', '=', accountId)
            .execute();
          if ((await openIn(tx, accountId)) > filing.mostOpen) throw new TooMany();
        }
        await writeEvent(tx, { id, from: null, to: 'received', by: filing.by, reason: 'filed', now });
        if (filing.job) await jobs.enqueueIn(tx, filing.job);
        return { row: (await byId(tx, id))!, filed: true };
      }).catch((error: unknown) => {
        if (error instanceof TooMany) return 'limited';
        throw error;
      });
    },
    async request(accountId, id) {
      const row = await rowsOf(db)
        .where('field_requests.id', '=', id)
        .where('field_requests.account_id', '=', accountId)
        .executeTakeFirst();
      return row ? toRow(row) : null;
    },
    async listOf(accountId, { after, limit }) {
      let listed = rowsOf(db)
        .where('field_requests.account_id', '=', accountId)
        .orderBy('field_requests.created_at', 'desc')
        .orderBy('field_requests.id', 'desc')
        .limit(limit);
      if (after)
        listed = listed.where(eb =>
          eb(eb.refTuple('field_requests.created_at', 'field_requests.id'), '<', eb.tuple(after.createdAt, after.id)),
        );
      return (await listed.execute()).map(toRow);
    },
    find: id => byId(db, id),
    async body<T>(id: string) {
      const row = await db.selectFrom('field_requests').select('body').where('id', '=', id).executeTakeFirst();
      return row ? bodyOf<T>(row.body) : null;
    },
    async list({ status, waitingOn, limit }) {
      let listed = rowsOf(db);
      if (status === 'queued') listed = listed.orderBy('field_requests.queue_turn');
      listed = listed.orderBy('field_requests.queued_at').orderBy('created_at').orderBy('id').limit(limit);
      if (status !== undefined) listed = listed.where('field_requests.status', '=', status);
      if (waitingOn !== undefined) listed = listed.where('field_requests.waiting_on', '=', waitingOn);
      return (await listed.execute()).map(toRow);
    },
    move: move => transact(db, tx => moveIn(tx, jobs, move)),
    moved: move => async tx => {
      await moveIn(tx, jobs, move);
    },
    async events(id) {
      const found = await db
        .selectFrom('field_request_events')
        .selectAll()
        .where('request_id', '=', id)
        .orderBy('seq')
        .execute();
      return found.map(({ seq, at, actor, from_status, to_status, reason }) => ({
        seq,
        at,
        actor,
        from: from_status,
        to: to_status,
        reason,
      }));
    },
  };
}
