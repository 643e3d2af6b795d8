import type { Kysely, Transaction } from 'kysely';
import type { AcceptedCorrection } from '../../../query/release/corrections/correction-list.ts';
import type { Effect, JobQueue, NewJob } from '../jobs/queue.ts';
import type { Tables } from '../tables.ts';
import { type CorrectionRow, toRow } from './row.ts';
import { isOutcome, type Outcome, type Status, statesBefore } from './states.ts';

/** A step of a correction from one state to another. */
export interface CorrectionMove {
  readonly id: string;
  readonly to: Status;
  readonly by: string;
  /** Why, for its filer too where it is decided. */
  readonly reason: string;
  readonly now: number;
  /** Content that answers tell from then on, where it is accepted. */
  readonly entry?: AcceptedCorrection;
  /** The jobs that tell its filer of an outcome. */
  readonly news: (row: CorrectionRow, outcome: Outcome) => readonly NewJob[];
}

/** The place of a correction as text: of two of one field there the later one counts. */
const placeKeyOf = ({ parcel_id: id, lat, lng }: AcceptedCorrection): string =>
  id ?? `${lat.toFixed(4)},${lng.toFixed(4)}`;

/** Records a step, or that the filer was told of one. */
export async function writeEvent(tx: Kysely<Tables>, event: Omit<Tables['correction_events'], 'seq'>): Promise<void> {
  const { seq } = await tx
    .selectFrom('correction_events')
    .select(eb => eb.fn.coalesce(eb.fn.max('seq'), eb.val(0)).as('seq'))
    .where('correction_id', '=', event.correction_id)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('correction_events')
    .values({ ...event, seq: Number(seq) + 1 })
    .execute();
}

/** The first of the names of a value: of corrections of one value only one counts at a place. */
const valueKeyOf = ({ field, also }: AcceptedCorrection): string => [field, ...also].sort()[0]!;

/** Stored content of an accepted correction. */
export const acceptedRow = (entry: AcceptedCorrection): Tables['accepted_corrections'] => ({
  correction_id: entry.correction_id,
  field: valueKeyOf(entry),
  place_key: placeKeyOf(entry),
  entry: JSON.stringify(entry),
  accepted_at: Date.parse(entry.accepted_at),
  checked_release: null,
});

/** The effect of telling the filer of a correction, or of having tried: it is among its steps. */
export const filerTold =
  (id: string, how: string, now: number): Effect =>
  async tx => {
    const row = await tx.selectFrom('corrections').select('status').where('id', '=', id).executeTakeFirst();
    if (!row) return;
    const { status } = row;
    const step = { correction_id: id, at: now, actor: 'plat', from_status: status, to_status: status };
    await writeEvent(tx, { ...step, reason: how });
  };

/** Makes an accepted correction what answers tell; the one before about the same is superseded. */
async function adopt(tx: Transaction<Tables>, jobs: JobQueue, move: CorrectionMove, entry: AcceptedCorrection) {
  const key = placeKeyOf(entry);
  const before = await tx
    .deleteFrom('accepted_corrections')
    .where('field', '=', valueKeyOf(entry))
    .where('place_key', '=', key)
    .where('correction_id', '!=', entry.correction_id)
    .returning('correction_id')
    .execute();
  for (const { correction_id: id } of before)
    await moveIn(tx, jobs, {
      ...move,
      id,
      to: 'superseded',
      reason: `a later correction took its place (${entry.correction_id})`,
    });
  await tx.insertInto('accepted_corrections').values(acceptedRow(entry)).execute();
}

/**
 * Takes a step in a transaction, together with what answers tell and the messages to the filer.
 * @returns null, with nothing changed, when the correction is in none of the states that the step may start from.
 */
export async function moveIn(
  tx: Transaction<Tables>,
  jobs: JobQueue,
  move: CorrectionMove,
): Promise<CorrectionRow | null> {
  const { id, to, by, reason, now, entry, news } = move;
  const before = await tx.selectFrom('corrections').select('status').where('id', '=', id).executeTakeFirst();
  if (!before && to === 'superseded')
    // Its filer is gone, and with them its steps: answers tell it no more all the same.
    await tx.deleteFrom('accepted_corrections').where('correction_id', '=', id).execute();
  if (!before || !statesBefore(to).includes(before.status)) return null;
  const moved = await tx
    .updateTable('corrections')
    .set({ status: to, updated_at: now, ...(isOutcome(to) ? { reason } : {}) })
    .where('id', '=', id)
    // Checked again: another process may have moved it since it was read.
    .where('status', '=', before.status)
    .returningAll()
    .executeTakeFirst();
  if (!moved) return null;
  const row = toRow(moved);
  await writeEvent(tx, { correction_id: id, at: now, actor: by, from_status: before.status, to_status: to, reason });
  if (before.status === 'accepted')
    await tx.deleteFrom('accepted_corrections').where('correction_id', '=', id).execute();
  if (to === 'accepted' && entry) await adopt(tx, jobs, move, entry);
  if (isOutcome(to)) for (const job of news(row, to)) await jobs.enqueueIn(tx, job);
  return row;
}
