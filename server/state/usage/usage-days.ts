import { type Kysely, sql, type Transaction } from 'kysely';
import { prepared } from '../prepared.ts';
import type { Tables } from '../tables.ts';
import type { Usage } from './usage.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The charges of one endpoint by one grant that were opened on one day. */
export interface DayUsage {
  readonly endpoint: string;
  /** Whole days since the epoch, UTC. */
  readonly day: number;
  /** The token or the agent that asked; '' for a browser session. */
  readonly grantId: string;
  /** Number of charged requests, including running ones. */
  readonly requests: number;
  readonly credits: number;
}

const addRequest = prepared(
  (db, day: { accountId: string; period: string; endpoint: string; day: number; grantId: string; cost: number }) =>
    db
      .insertInto('usage_days')
      .values({
        account_id: day.accountId,
        period: day.period,
        endpoint: day.endpoint,
        day: day.day,
        grant_id: day.grantId,
        requests: 1,
        credits: day.cost,
      })
      .onConflict(conflict =>
        conflict.columns(['account_id', 'period', 'endpoint', 'day', 'grant_id']).doUpdateSet(row => ({
          requests: row('usage_days.requests', '+', 1),
          credits: row('usage_days.credits', '+', day.cost),
        })),
      )
      .compile(),
);

/** Adds a settled charge to the sums of its day, in the same transaction, so that reading a month takes few rows. */
export async function addToDay(
  tx: Transaction<Tables>,
  { accountId, period }: { readonly accountId: string; readonly period: string },
  charge: { readonly endpoint: string; readonly grant_id: string; readonly opened_at: number },
  cost: number,
): Promise<void> {
  if (cost === 0) return;
  const { endpoint, grant_id: grantId, opened_at: openedAt } = charge;
  await addRequest(tx, { accountId, period, endpoint, day: Math.floor(openedAt / DAY_MS), grantId, cost });
}

/** Reads a month's usage and its parts in one statement, so that both are of the same moment. */
export async function readDays(
  db: Kysely<Tables>,
  accountId: string,
  period: string,
): Promise<{ usage: Usage; days: DayUsage[] }> {
  const { rows } = await sql<
    Usage & { readonly endpoint: string | null; day: number; grantId: string; requests: number; credits: number }
  >`
    select coalesce(u.spent, 0) as spent, coalesce(u.held, 0) as held, a.monthly_credit_limit as "selfLimit",
      p.endpoint, p.day, p.grant_id as "grantId", cast(sum(p.requests) as bigint) as requests, cast(sum(p.credits) as bigint) as credits
    from accounts a
    left join credit_usage u on u.account_id = a.id and u.period = ${period}
    left join (
      select endpoint, day, grant_id, requests, credits from usage_days where account_id = ${accountId} and period = ${period}
      union all
      select endpoint, opened_at / ${sql.lit(DAY_MS)}, grant_id, 1, reserved from charges
        where account_id = ${accountId} and state = 'open' and period = ${period}
    ) p on true
    where a.id = ${accountId}
    group by u.spent, u.held, a.monthly_credit_limit, p.endpoint, p.day, p.grant_id
    order by p.day, p.endpoint, p.grant_id`.execute(db);
  const [first] = rows;
  const usage = { spent: first?.spent ?? 0, held: first?.held ?? 0, selfLimit: first?.selfLimit ?? null };
  const days = rows.flatMap(({ endpoint, day, grantId, requests, credits }) =>
    endpoint === null ? [] : [{ endpoint, day, grantId, requests, credits }],
  );
  return { usage, days };
}
