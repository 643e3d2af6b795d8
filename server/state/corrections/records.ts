import type { Kysely } from 'kysely';
import type { AcceptedCorrection } from '../../../query/release/corrections/correction-list.ts';
import type { Effect, JobQueue } from '../jobs/queue.ts';
import type { ListPart } from '../lists/list-place.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import { acceptedRow, type CorrectionMove, moveIn, writeEvent } from './moves.ts';
import { type CorrectionRow, toRow } from './row.ts';
import { OPEN, type Status } from './states.ts';

/** A step as it was recorded. */
interface CorrectionEvent {
  readonly at: number;
  readonly actor: string;
  readonly from: Status | null;
  readonly to: Status;
  readonly reason: string;
}

export interface CorrectionRecords {
  /** Files a correction; `limited`, with nothing filed, where so many of its account are open. */
  file(
    row: Omit<CorrectionRow, 'status' | 'reason' | 'updatedAt'>,
    mostOpen: number,
    by: string,
  ): Promise<'filed' | 'limited'>;
  /** Number of an account's corrections that nobody has decided. */
  open(accountId: string): Promise<number>;
  /** A correction that the account filed; null otherwise. */
  correctionOf(accountId: string, id: string): Promise<CorrectionRow | null>;
  /** The same of any account, for operators. */
  correction(id: string): Promise<CorrectionRow | null>;
  /** The account's corrections, newest first. */
  listOf(accountId: string, part: ListPart): Promise<CorrectionRow[]>;
  /** Those of all accounts, the oldest first. */
  list(query: { readonly status?: Status; readonly limit: number }): Promise<CorrectionRow[]>;
  events(id: string): Promise<CorrectionEvent[]>;
  /** Takes a step; null, with nothing changed, where it may not be taken. */
  move(step: CorrectionMove): Promise<CorrectionRow | null>;
  /** Takes the step as the effect of a job. */
  moved(step: CorrectionMove): Effect;
  /** Takes back what answers tell whose filer is gone. @returns false, with nothing changed, where there is none. */
  withdraw(id: string): Promise<boolean>;
  /** Contents that answers tell, in the order of acceptance. */
  accepted(): Promise<AcceptedCorrection[]>;
  /** Changes when `accepted` does. */
  acceptedStamp(): Promise<string>;
  /** Makes corrections what answers tell that were accepted elsewhere: by the store that a receipt is of. */
  adopt(entries: readonly AcceptedCorrection[]): Promise<void>;
  /** Accepted corrections that the sources of a release were not held against yet, in the order of their ids. @param after an id. */
  unchecked(release: string, after: string, limit: number): Promise<AcceptedCorrection[]>;
  /** Effect: the sources of a release were held against them. */
  checked(ids: readonly string[], release: string): Effect;
}

/** Corrections over any Kysely database. */
export function correctionsIn(db: Kysely<Tables>, jobs: JobQueue): CorrectionRecords {
  const all = () => db.selectFrom('corrections').selectAll();
  const entryOf = ({ entry }: { readonly entry: string }) => JSON.parse(entry) as AcceptedCorrection;
  const openIn = async (on: Kysely<Tables>, accountId: string): Promise<number> => {
    const { open } = await on
      .selectFrom('corrections')
      .select(eb => eb.fn.countAll<number>().as('open'))
      .where('account_id', '=', accountId)
      .where('status', 'in', OPEN)
      .executeTakeFirstOrThrow();
    return Number(open);
  };
  return {
    open: accountId => openIn(db, accountId),
    file: ({ id, accountId, field, value, place, evidence, said, callback, createdAt }, mostOpen, by) =>
      transact(db, async tx => {
        // The row of the account is locked, so that requests side by side are counted one after the other.
        await tx
          .updateTable('accounts')
          .set(eb => ({ plan: eb.ref('plan') }))
          .where('id', '=', accountId)
          .execute();
        if ((await openIn(tx, accountId)) >= mostOpen) return 'limited';
        await tx
          .insertInto('corrections')
          .values({
            id,
            account_id: accountId,
            status: 'received',
            field,
            value: JSON.stringify(value),
            place: JSON.stringify(place),
            evidence: JSON.stringify(evidence),
            said: JSON.stringify(said),
            callback: callback === null ? null : JSON.stringify(callback),
            reason: null,
            created_at: createdAt,
            updated_at: createdAt,
          })
          .execute();
        await writeEvent(tx, {
          correction_id: id,
          at: createdAt,
          actor: by,
          from_status: null,
          to_status: 'received',
          reason: 'filed',
        });
        return 'filed';
      }),
    async correctionOf(accountId, id) {
      const row = await all().where('id', '=', id).where('account_id', '=', accountId).executeTakeFirst();
      return row ? toRow(row) : null;
    },
    async correction(id) {
      const row = await all().where('id', '=', id).executeTakeFirst();
      return row ? toRow(row) : null;
    },
    async listOf(accountId, { after, limit }) {
      let rows = all()
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (after)
        rows = rows.where(row =>
          row.or([
            row('created_at', '<', after.createdAt),
            row.and([row('created_at', '=', after.createdAt), row('id', '<', after.id)]),
          ]),
        );
      return (await rows.execute()).map(toRow);
    },
    async list({ status, limit }) {
      let rows = all().orderBy('created_at').orderBy('id').limit(limit);
      if (status !== undefined) rows = rows.where('status', '=', status);
      return (await rows.execute()).map(toRow);
    },
    async events(id) {
      const rows = await db
        .selectFrom('correction_events')
        .selectAll()
        .where('correction_id', '=', id)
        .orderBy('seq')
        .execute();
      return rows.map(({ at, actor, from_status: from, to_status: to, reason }) => ({ at, actor, from, to, reason }));
    },
    move: step => transact(db, tx => moveIn(tx, jobs, step)),
    moved: step => async tx => {
      await moveIn(tx, jobs, step);
    },
    async withdraw(id) {
      const { numDeletedRows } = await db
        .deleteFrom('accepted_corrections')
        .where('correction_id', '=', id)
        .where(row => row.not(row.exists(db.selectFrom('corrections').select('id').where('id', '=', id))))
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
    async accepted() {
      const rows = await db
        .selectFrom('accepted_corrections')
        .select('entry')
        .orderBy('accepted_at')
        .orderBy('correction_id')
        .execute();
      return rows.map(entryOf);
    },
    async acceptedStamp() {
      // The sum tells one that took the place of another also where the clock of its machine is late.
      const { count, last, sum } = await db
        .selectFrom('accepted_corrections')
        .select(eb => [eb.fn.countAll<number>().as('count'), eb.fn.max('accepted_at').as('last')])
        .select(eb => eb.fn.sum('accepted_at').as('sum'))
        .executeTakeFirstOrThrow();
      return `${count} ${last} ${sum}`;
    },
    async adopt(entries) {
      for (const entry of entries) await db.insertInto('accepted_corrections').values(acceptedRow(entry)).execute();
    },
    async unchecked(release, after, limit) {
      const rows = await db
        .selectFrom('accepted_corrections')
        .select('entry')
        .where('correction_id', '>', after)
        .where(row => row.or([row('checked_release', 'is', null), row('checked_release', '!=', release)]))
        .orderBy('correction_id')
        .limit(limit)
        .execute();
      return rows.map(entryOf);
    },
    checked: (ids, release) => async tx => {
      if (ids.length === 0) return;
      await tx
        .updateTable('accepted_corrections')
        .set({ checked_release: release })
        .where('correction_id', 'in', ids)
        .execute();
    },
  };
}
