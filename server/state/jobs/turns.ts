import type { Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** Stands for the account of jobs that have none. No account has this id. */
export const NOBODY = '-';

/** Milliseconds after which a turn no longer matters: who had none for so long comes before those who had one. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Records that a job of an account was claimed, so that every other account comes before it. Turns only grow, also when
 * the clock is set back or two are taken in one millisecond.
 * @param now epoch milliseconds.
 */
export async function takeTurn(tx: Transaction<Tables>, kind: string, account: string, now: number): Promise<void> {
  const { last } = await tx
    .selectFrom('job_turns')
    .select(row => row.fn.coalesce(row.fn.max('turn'), row.val(0)).as('last'))
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
  const turn = Math.max(now, Number(last) + 1);
  await tx
    .insertInto('job_turns')
    .values({ kind, account, turn })
    .onConflict(conflict => conflict.columns(['kind', 'account']).doUpdateSet({ turn }))
    .execute();
}

/** Deletes the turns of accounts whose jobs were claimed long ago. */
export async function forgetTurns(tx: Pick<Transaction<Tables>, 'deleteFrom'>, now: number): Promise<void> {
  await tx
    .deleteFrom('job_turns')
    .where('turn', '<=', now - KEPT_MS)
    .execute();
}
