import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';

/** Credits that were taken from the budget of a token or an agent. Plain data. */
export interface BudgetShare {
  readonly grantId: string;
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly credits: number;
}

/** Budgets of a day. What a process took that died before it settled stays taken until midnight. */
export interface Budgets {
  /** Takes credits where the budget has as many left. @param limit credits a day. @returns null, or what is left. */
  take(share: BudgetShare, limit: number): Promise<{ readonly left: number } | null>;
  /** Puts back what was not needed. */
  giveBack(share: BudgetShare): Promise<void>;
}

/** Puts credits back within a larger transaction. */
export const giveBackIn = async (db: Kysely<Tables> | Transaction<Tables>, { grantId, day, credits }: BudgetShare) => {
  if (credits === 0) return;
  await db
    .updateTable('grant_spending')
    .set(row => ({ credits: row('credits', '-', credits) }))
    .where('grant_id', '=', grantId)
    .where('day', '=', day)
    .execute();
};

/** Budgets over any Kysely database. */
export function budgetsIn(db: Kysely<Tables>): Budgets {
  return {
    take: ({ grantId, day, credits }, limit) =>
      transact(db, async tx => {
        const inserted = await tx
          .insertInto('grant_spending')
          .values({ grant_id: grantId, day, credits: 0 })
          .onConflict(conflict => conflict.doNothing())
          .returning('day')
          .executeTakeFirst();
        if (inserted)
          await tx.deleteFrom('grant_spending').where('grant_id', '=', grantId).where('day', '<', day).execute();
        const taken = await tx
          .updateTable('grant_spending')
          .set(row => ({ credits: row('credits', '+', credits) }))
          .where('grant_id', '=', grantId)
          .where('day', '=', day)
          .where(sql<number>`credits + ${sql.val(credits)}`, '<=', limit)
          .returning('credits')
          .executeTakeFirst();
        if (taken) return null;
        const { credits: spent } = await tx
          .selectFrom('grant_spending')
          .select('credits')
          .where('grant_id', '=', grantId)
          .where('day', '=', day)
          .executeTakeFirstOrThrow();
        return { left: Math.max(0, limit - spent) };
      }),
    giveBack: share => giveBackIn(db, share),
  };
}
