import { type Kysely, sql } from 'kysely';
import type { Disposition } from '../../field-requests/disposition.ts';
import { IN_WORK, isSettled, type Status } from '../../field-requests/states.ts';
import { packed } from '../packed-text.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import { bodyOf, type Callback, COLUMNS, type ExampleLocation, type FieldRequestRow, toRow } from './row.ts';

/** What tells one filing from another, under a key. */
export interface FilingKey {
  readonly accountId: string;
  /** Null without an idempotency key. */
  readonly keyHash: string | null;
  readonly bodyHash: string;
  /** Null when none came. */
  readonly callback: Callback | null;
  readonly contextBlob: string | null;
  readonly now: number;
}

export interface Filing extends FilingKey {
  readonly id: string;
  readonly body: object;
  readonly locations: readonly ExampleLocation[];
  readonly by: string;
}

/** What a filing under a key finds; null when the key is new. */
export type Replayed = { readonly row: FieldRequestRow } | 'reused' | null;

/** A step of a request, taken only from the states that it may be taken from. */
export interface Move {
  readonly id: string;
  readonly from: readonly Status[];
  readonly to: Status;
  readonly by: string;
  readonly reason: string;
  readonly now: number;
  readonly waitingOn?: 'requester' | 'operator' | null;
  readonly disposition?: readonly Disposition[];
  readonly build?: Readonly<Record<string, unknown>>;
  /** When it is promised, made of the requests before it: once, when it is accepted. */
  readonly promise?: (ahead: number) => number;
}

/** A step that was taken. */
export interface FieldRequestEvent {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly from: Status | null;
  readonly to: Status;
  readonly reason: string;
}

/** Field requests and what became of them. */
export interface FieldRequestRecords {
  /** An earlier filing under the key: a callback that came replaces its callback, the first context_blob stays. */
  replay(key: FilingKey): Promise<Replayed>;
  /** Keeps a request, unless its key was used: then as `replay`. */
  file(filing: Filing): Promise<{ readonly row: FieldRequestRow; readonly filed: boolean } | 'reused'>;
  /** A request of the account. */
  request(accountId: string, id: string): Promise<FieldRequestRow | null>;
  /** A request of anybody, for operators and jobs. */
  find(id: string): Promise<FieldRequestRow | null>;
  /** The request as it was filed, without key, callback and context_blob. */
  body<T>(id: string): Promise<T | null>;
  /** Oldest first; those of one status in the order of the queue. */
  list(asked: { readonly status?: Status; readonly limit: number }): Promise<FieldRequestRow[]>;
  /** Takes a step. @returns null when the request is in none of the states that it may be taken from: nothing changed. */
  move(move: Move): Promise<FieldRequestRow | null>;
  /** Steps of a request, in order. */
  events(id: string): Promise<FieldRequestEvent[]>;
}

/** A row's place in the queue: counted in the statement that reads the row, so that both are of one moment. */
const position = sql<number | null>`case
  when field_requests.status = 'queued' then (
    select count(*) from field_requests other where other.status = 'queued'
      and (other.queued_at, other.id) <= (field_requests.queued_at, field_requests.id))
  when field_requests.status in (${sql.join([...IN_WORK])}) then 0
end`.as('position');

/** Field requests over any database that Kysely speaks. */
export function fieldRequestsIn(db: Kysely<Tables>): FieldRequestRecords {
  const rows = (on: Kysely<Tables>) => on.selectFrom('field_requests').select(COLUMNS).select(position);
  const byId = async (on: Kysely<Tables>, id: string): Promise<FieldRequestRow | null> => {
    const row = await rows(on).where('field_requests.id', '=', id).executeTakeFirst();
    return row ? toRow(row) : null;
  };

  async function replayIn(tx: Kysely<Tables>, key: FilingKey): Promise<Replayed> {
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
    }
    return { row: (await byId(tx, found.id))! };
  }

  async function writeEvent(
    tx: Kysely<Tables>,
    { id, from, to, by, reason, now }: Omit<Move, 'from'> & { readonly from: Status | null },
  ): Promise<void> {
    const last = tx.selectFrom('field_request_events').where('request_id', '=', id);
    const { seq } = await last
      .select(eb => eb.fn.coalesce(eb.fn.max('seq'), eb.val(0)).as('seq'))
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('field_request_events')
      .values({ request_id: id, seq: Number(seq) + 1, at: now, actor: by, from_status: from, to_status: to, reason })
      .execute();
  }

  return {
    replay: key => transact(db, tx => replayIn(tx, key)),
    async file(filing) {
      const { id, accountId, keyHash, bodyHash, callback, contextBlob, locations, now } = filing;
      const body = await packed(JSON.stringify(filing.body));
      return transact(db, async tx => {
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
        await writeEvent(tx, { id, from: null, to: 'received', by: filing.by, reason: 'filed', now });
        return { row: (await byId(tx, id))!, filed: true };
      });
    },
    async request(accountId, id) {
      const row = await rows(db)
        .where('field_requests.id', '=', id)
        .where('field_requests.account_id', '=', accountId)
        .executeTakeFirst();
      return row ? toRow(row) : null;
    },
    find: id => byId(db, id),
    async body<T>(id: string) {
      const row = await db.selectFrom('field_requests').select('body').where('id', '=', id).executeTakeFirst();
      return row ? bodyOf<T>(row.body) : null;
    },
    async list({ status, limit }) {
      let listed = rows(db).orderBy('field_requests.queued_at').orderBy('created_at').orderBy('id').limit(limit);
      if (status !== undefined) listed = listed.where('field_requests.status', '=', status);
      return (await listed.execute()).map(toRow);
    },
    move: move =>
      transact(db, async tx => {
        const { id, from, to, now, disposition, build } = move;
        const before = await tx
          .selectFrom('field_requests')
          .select(['status', 'queued_at', 'estimated_ready_at'])
          .where('id', '=', id)
          .executeTakeFirst();
        if (!before || !from.includes(before.status)) return null;
        const accepted = to === 'queued' && before.queued_at === null;
        const { ahead } = accepted
          ? await tx
              .selectFrom('field_requests')
              .select(eb => eb.fn.countAll<number>().as('ahead'))
              .where('status', '=', 'queued')
              .executeTakeFirstOrThrow()
          : { ahead: 0 };
        const promised = accepted && move.promise ? move.promise(Number(ahead)) : before.estimated_ready_at;
        const moved = await tx
          .updateTable('field_requests')
          .set({
            status: to,
            waiting_on: move.waitingOn ?? null,
            updated_at: now,
            ...(disposition ? { disposition: JSON.stringify(disposition) } : {}),
            ...(build ? { build: JSON.stringify(build) } : {}),
            ...(accepted ? { queued_at: now, estimated_ready_at: promised } : {}),
            ...(isSettled(to) ? { settled_at: now } : {}),
          })
          .where('id', '=', id)
          // Asked again: another may have moved it since it was read.
          .where('status', '=', before.status)
          .returning('id')
          .executeTakeFirst();
        if (!moved) return null;
        await writeEvent(tx, { ...move, from: before.status });
        return byId(tx, id);
      }),
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
