import { type Kysely, sql, type Transaction } from 'kysely';
import { prepared } from '../prepared.ts';
import type { Tables } from '../tables.ts';

/** What an account has used in a month. */
export interface Usage {
  readonly spent: number;
  /** Credits reserved by running requests. */
  readonly held: number;
  /** The account's own monthly limit, or null. */
  readonly selfLimit: number | null;
}

const limitOf = (allowance: number) =>
  sql`(case when a.monthly_credit_limit < ${sql.val(allowance)} then a.monthly_credit_limit else cast(${sql.val(allowance)} as bigint) end)`;

/** What the account has in one month, and what is added to it. */
interface Change {
  readonly accountId: string;
  readonly period: string;
  readonly held: number;
  readonly spent: number;
}

const holdWithin = prepared(
  (db, { accountId, period, allowance, cost }: Omit<Change, 'held' | 'spent'> & { allowance: number; cost: number }) =>
    sql<{ held: number }>`
      insert into credit_usage (account_id, period, spent, held)
      select a.id, cast(${period} as text), 0, cast(${cost} as bigint) from accounts a
      where a.id = ${accountId} and ${cost} <= ${limitOf(allowance)}
      on conflict (account_id, period) do update set held = credit_usage.held + excluded.held
      where credit_usage.spent + credit_usage.held + excluded.held
        <= (select ${limitOf(allowance)} from accounts a where a.id = credit_usage.account_id)
      returning held`.compile(db),
);

/**
 * Adds to the reserved credits of a month, if that stays within the limit. All transactions lock the sums of an account before its
 * charges, so that they cannot deadlock.
 */
export async function hold(
  tx: Transaction<Tables>,
  { accountId, period, allowance }: { readonly accountId: string; readonly period: string; readonly allowance: number },
  cost: number,
): Promise<boolean> {
  return (await holdWithin(tx, { accountId, period, allowance, cost })).length === 1;
}

/** What an account has spent and reserved in a month. */
export type Sums = Pick<Usage, 'spent' | 'held'>;

/** Changes the sums of a month that has a row, and returns them. */
export const addUsage = prepared((db, { accountId, period, held, spent }: Change) =>
  db
    .updateTable('credit_usage')
    .set(row => ({ held: row('held', '+', held), spent: row('spent', '+', spent) }))
    .where('account_id', '=', accountId)
    .where('period', '=', period)
    .returning(['spent', 'held'])
    .compile(),
);

/** Reads what an account has used in a month; zero when it has no row yet. */
export async function readUsage(db: Kysely<Tables>, accountId: string, period: string): Promise<Usage> {
  const row = await db
    .selectFrom('accounts')
    .leftJoin('credit_usage', join =>
      join.onRef('credit_usage.account_id', '=', 'accounts.id').on('credit_usage.period', '=', period),
    )
    .select(['credit_usage.spent', 'credit_usage.held', 'accounts.monthly_credit_limit'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
  return { spent: row?.spent ?? 0, held: row?.held ?? 0, selfLimit: row?.monthly_credit_limit ?? null };
}
