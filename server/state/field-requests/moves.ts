import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { JobQueue, NewJob } from '../jobs/queue.ts';
import type { Tables } from '../tables.ts';
import { type News, tellIn } from './deliveries.ts';
import type { Disposition } from './disposition.ts';
import { COLUMNS, type FieldRequestRow, toRow } from './row.ts';
import { IN_WORK, isSettled, type Status } from './states.ts';

/** A step of a request from one state to another, with the states it may start from. */
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
  /** Computes the promised date from the number of requests that stand before it: once, when it is accepted. */
  readonly promise?: (ahead: number) => number;
  /** The message for the requester. */
  readonly news?: News;
  /** The next job. */
  readonly job?: NewJob;
}

/** A row's place in the queue, computed in the statement that reads the row, so that both are of the same moment. */
const position = sql<number | null>`case
  when field_requests.status = 'queued' then (
    select count(*) from field_requests other where other.status = 'queued'
      and (other.queue_turn, other.queued_at, other.id)
        <= (field_requests.queue_turn, field_requests.queued_at, field_requests.id))
  when field_requests.status in (${sql.join([...IN_WORK])}) then 0
end`.as('position');

/** Selects requests with their place in the queue. */
export const rowsOf = (on: Kysely<Tables>) => on.selectFrom('field_requests').select(COLUMNS).select(position);

/** Reads a request of any account; null when there is none. */
export async function byId(on: Kysely<Tables>, id: string): Promise<FieldRequestRow | null> {
  const row = await rowsOf(on).where('field_requests.id', '=', id).executeTakeFirst();
  return row ? toRow(row) : null;
}

/**
 * The place in the queue of a request of an account that is accepted now. Accounts take turns: a ticket has the turn
 * after the last one of its account, or the turn that the queue has come to when that is later. So a hundred tickets of
 * one account push the first of another by one place (start-time fair queuing, Goyal, Vin and Cheng, 1996).
 */
async function newPlace(tx: Transaction<Tables>, accountId: string): Promise<{ turn: number; ahead: number }> {
  const tickets = tx.selectFrom('field_requests');
  const { reached } = await tickets
    .select(eb => eb.fn.min('queue_turn').as('reached'))
    .where('status', '=', 'queued')
    .executeTakeFirstOrThrow();
  const { last } = await tickets
    .select(eb => eb.fn.max('queue_turn').as('last'))
    .where('account_id', '=', accountId)
    .where('status', 'in', ['queued', ...IN_WORK])
    .executeTakeFirstOrThrow();
  const turn = Math.max(Number(reached ?? 0), last === null ? 0 : Number(last) + 1);
  const { ahead } = await tickets
    .select(eb => eb.fn.countAll<number>().as('ahead'))
    .where('status', '=', 'queued')
    .where('queue_turn', '<=', turn)
    .executeTakeFirstOrThrow();
  return { turn, ahead: Number(ahead) };
}

/** Records a step. */
export async function writeEvent(
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

/**
 * Takes a step in a transaction, together with the message to the requester and the next job.
 * @returns null, with nothing changed, when the request is in none of the states that the step may start from.
 */
export async function moveIn(tx: Transaction<Tables>, jobs: JobQueue, move: Move): Promise<FieldRequestRow | null> {
  const { id, from, to, now, disposition, build } = move;
  const before = await tx
    .selectFrom('field_requests')
    .select(['account_id', 'status', 'queued_at', 'estimated_ready_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!before || !from.includes(before.status)) return null;
  const accepted = to === 'queued' && before.queued_at === null;
  const place = accepted ? await newPlace(tx, before.account_id) : null;
  const promised = place && move.promise ? move.promise(place.ahead) : before.estimated_ready_at;
  const moved = await tx
    .updateTable('field_requests')
    .set({
      status: to,
      waiting_on: move.waitingOn ?? null,
      updated_at: now,
      ...(disposition ? { disposition: JSON.stringify(disposition) } : {}),
      ...(build ? { build: JSON.stringify(build) } : {}),
      ...(place ? { queued_at: now, queue_turn: place.turn, estimated_ready_at: promised } : {}),
      ...(isSettled(to) ? { settled_at: now } : {}),
    })
    .where('id', '=', id)
    // Checked again: another process may have moved it since it was read.
    .where('status', '=', before.status)
    .returning('id')
    .executeTakeFirst();
  if (!moved) return null;
  await writeEvent(tx, { ...move, from: before.status });
  const row = (await byId(tx, id))!;
  if (move.news) await tellIn(tx, jobs, row, move.news, now);
  if (move.job) await jobs.enqueueIn(tx, move.job);
  return row;
}
