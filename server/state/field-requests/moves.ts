import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { JobQueue, NewJob } from '../jobs/queue.ts';
import type { Tables } from '../tables.ts';
import { type News, tellIn } from './deliveries.ts';
import type { Disposition } from './disposition.ts';
import { COLUMNS, type FieldRequestRow, toRow } from './row.ts';
import { IN_WORK, isSettled, type Status } from './states.ts';

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
  /** What the requester is told of it. */
  readonly news?: News;
  /** What is to be done next. */
  readonly job?: NewJob;
}

/** A row's place in the queue: counted in the statement that reads the row, so that both are of one moment. */
const position = sql<number | null>`case
  when field_requests.status = 'queued' then (
    select count(*) from field_requests other where other.status = 'queued'
      and (other.queued_at, other.id) <= (field_requests.queued_at, field_requests.id))
  when field_requests.status in (${sql.join([...IN_WORK])}) then 0
end`.as('position');

/** Requests with their places. */
export const rowsOf = (on: Kysely<Tables>) => on.selectFrom('field_requests').select(COLUMNS).select(position);

/** A request of anybody. */
export async function byId(on: Kysely<Tables>, id: string): Promise<FieldRequestRow | null> {
  const row = await rowsOf(on).where('field_requests.id', '=', id).executeTakeFirst();
  return row ? toRow(row) : null;
}

/** Writes a step down. */
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
 * Takes a step in a transaction, with what the requester is told of it and what is to be done next.
 * @returns null when the request is in none of the states that it may be taken from: nothing changed.
 */
export async function moveIn(tx: Transaction<Tables>, jobs: JobQueue, move: Move): Promise<FieldRequestRow | null> {
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
  const row = (await byId(tx, id))!;
  if (move.news) await tellIn(tx, jobs, row, move.news, now);
  if (move.job) await jobs.enqueueIn(tx, move.job);
  return row;
}
