import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { type BudgetShare, giveBackIn } from './agents/budgets.ts';
import { AHEAD_MS } from './clock-jump.ts';
import { prepared } from './prepared.ts';
import type { Tables } from './tables.ts';
import { transact } from './transaction.ts';
import { addUsage, hold, readUsage, type Sums, type Usage } from './usage/usage.ts';
import { addToDay, type DayUsage, readDays } from './usage/usage-days.ts';

export interface ReservationRequest {
  /** A second request with the same id gets the same reservation and is charged once. */
  readonly id: string;
  readonly accountId: string;
  /** Month it counts in, `YYYY-MM`. */
  readonly period: string;
  readonly endpoint: string;
  /** The token or the agent that asks; '' for a browser session. */
  readonly grantId: string;
  /** Credits of each part of the work. Parts that fit are granted, others are not. */
  readonly costs: readonly number[];
  /** Credits a month of the plan. The account's own limit may be lower, and then counts. */
  readonly allowance: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Epoch milliseconds after which an unsettled reservation counts as abandoned and is released. */
  readonly expiresAt: number;
}

export interface Reservation {
  readonly id: string;
  readonly accountId: string;
  readonly period: string;
  readonly allowance: number;
  /** Credits reserved. */
  readonly reserved: number;
  /** Which parts may run, in the order of the costs; at least one. */
  readonly granted: readonly boolean[];
  /** What was taken from the budget of who asked; settling puts back what it did not cost. */
  readonly budget?: BudgetShare;
}

/**
 * Credits are reserved before work and settled after it. Spent and reserved credits together never exceed the
 * allowance, and settled charges are kept: both are in one row, which changes in the transaction of the charge.
 */
export interface Ledger {
  /** Reserves credits. When no part fits, it returns the usage instead. */
  reserve(request: ReservationRequest): Promise<Reservation | { readonly refused: Usage }>;
  /**
   * Charges the cost of the work and releases the rest; 0 releases all. A second call changes nothing.
   * @param cost at most what was reserved.
   * @returns the sums of the month after it; null when the reservation had expired and the credits are gone. The result must then
   * not be sent.
   */
  settle(reservation: Reservation, cost: number, now: number): Promise<Sums | null>;
  /** The usage of a month. @param now expired reservations are released first. */
  usage(accountId: string, period: string, now: number): Promise<Usage>;
  /** A month's charges by endpoint, day and grant, running ones at their reserved credits, and their sum as usage. */
  days(accountId: string, period: string, now: number): Promise<{ readonly usage: Usage; readonly days: DayUsage[] }>;
  /** Releases every reservation whose process is gone. @returns how many. */
  releaseExpired(now: number): Promise<number>;
  /** Deletes closed charges opened before an instant; sums stay. @returns how many, at most 1,000. */
  prune(before: number): Promise<number>;
}

/** Grants parts in their order while they fit a budget. A part that does not fit leaves its room to later ones. */
function grant(costs: readonly number[], budget: number): { granted: boolean[]; total: number } {
  let total = 0;
  const granted = costs.map(cost => {
    const fits = total + cost <= budget;
    if (fits) total += cost;
    return fits;
  });
  return { granted, total };
}

/** Whether a charge has expired, or was opened by a clock that was ahead. */
const expired = (row: ExpressionBuilder<Tables, 'charges'>, now: number) =>
  row.or([row('expires_at', '<=', now), row('opened_at', '>', now + AHEAD_MS)]);

/** Releases an account's abandoned reservations. */
async function releaseOf(tx: Transaction<Tables>, accountId: string, now: number): Promise<number> {
  const abandoned = (row: ExpressionBuilder<Tables, 'charges'>) =>
    row.and([row('account_id', '=', accountId), row('state', '=', 'open'), expired(row, now)]);
  const locked = await tx
    .updateTable('credit_usage')
    .set(row => ({ held: row.ref('held') }))
    .where('account_id', '=', accountId)
    .where('period', 'in', tx.selectFrom('charges').select('period').where(abandoned))
    .returning('period')
    .execute();
  if (locked.length === 0) return 0;
  const released = await tx
    .updateTable('charges')
    .set({ state: 'released' })
    .where(abandoned)
    // Charges of other months were committed a moment ago. Locking one without its month's sums could cause a deadlock.
    .where(
      'period',
      'in',
      locked.map(month => month.period),
    )
    .returning(['period', 'reserved'])
    .execute();
  for (const { period, reserved } of released) await addUsage(tx, { accountId, period, held: -reserved, spent: 0 });
  return released.length;
}

/** Releases abandoned reservations, then reserves as many parts as fit. */
async function holdSome(
  tx: Transaction<Tables>,
  request: ReservationRequest,
): Promise<{ granted: boolean[]; total: number }> {
  const { accountId, period, costs, allowance, now } = request;
  await tx
    .insertInto('credit_usage')
    .values({ account_id: accountId, period, spent: 0, held: 0 })
    .onConflict(conflict =>
      conflict.columns(['account_id', 'period']).doUpdateSet(row => ({ held: row.ref('credit_usage.held') })),
    )
    .execute();
  await releaseOf(tx, accountId, now);
  const { spent, held, selfLimit } = await readUsage(tx, accountId, period);
  const fitting = grant(costs, Math.min(allowance, selfLimit ?? Infinity) - spent - held);
  // Nobody else changes the sums: their row is locked. An account that lowers its own limit meanwhile has asked before it did.
  await addUsage(tx, { accountId, period, held: fitting.total, spent: 0 });
  return fitting;
}

type Opening = Omit<ReservationRequest, 'costs' | 'allowance'>;

/** Opens a charge, unless there is one of its id. */
const open = prepared(
  (db, { id, accountId, period, endpoint, grantId, whole, now, expiresAt }: Opening & { whole: number }) =>
    db
      .insertInto('charges')
      .values({
        id,
        account_id: accountId,
        period,
        endpoint,
        grant_id: grantId,
        state: 'open',
        reserved: whole,
        spent: 0,
        opened_at: now,
        expires_at: expiresAt,
        settled_at: null,
      })
      .onConflict(conflict => conflict.column('id').doNothing())
      .returning('id')
      .compile(),
);

/** Settles a charge that is in some state. */
const close = prepared(
  (db, { id, state, cost, now }: { id: string; state: 'open' | 'released'; cost: number; now: number }) =>
    db
      .updateTable('charges')
      .set({ state: 'settled', spent: cost, settled_at: now })
      .where('id', '=', id)
      .where('state', '=', state)
      .returning(['endpoint', 'grant_id', 'opened_at'])
      .compile(),
);

/**
 * Settles within a larger transaction.
 * @returns as Ledger.settle.
 * @throws RangeError when the cost is more than what was reserved.
 */
export async function settleIn(
  tx: Transaction<Tables>,
  reservation: Reservation,
  cost: number,
  now: number,
): Promise<Sums | null> {
  const { id, accountId, period, reserved } = reservation;
  if (cost > reserved) throw new RangeError(`Charge ${id}: ${cost} credits are more than the ${reserved} reserved`);
  const spend = { accountId, period, held: -reserved, spent: cost };
  const [after] = await addUsage(tx, spend);
  const [open] = await close(tx, { id, state: 'open', cost, now });
  if (open) {
    await addToDay(tx, { accountId, period }, open, cost);
    const { budget } = reservation;
    if (budget) await giveBackIn(tx, { ...budget, credits: budget.credits - cost });
    return after!;
  }
  const [before] = await addUsage(tx, { accountId, period, held: reserved, spent: -cost });
  const row = await tx.selectFrom('charges').select('state').where('id', '=', id).executeTakeFirst();
  if (row?.state === 'settled' || cost === 0) return before!;
  if (row?.state !== 'released' || !(await hold(tx, reservation, reserved))) return null;
  const [taken] = await addUsage(tx, spend);
  const [released] = await close(tx, { id, state: 'released', cost, now });
  await addToDay(tx, { accountId, period }, released!, cost);
  return taken!;
}

/** The ledger over any Kysely database. */
export function ledgerIn(db: Kysely<Tables>): Ledger {
  const giveBack = async (accountId: string, now: number) => {
    const abandoned = await db
      .selectFrom('charges')
      .select('id')
      .where('account_id', '=', accountId)
      .where('state', '=', 'open')
      .where(row => expired(row, now))
      .limit(1)
      .executeTakeFirst();
    if (abandoned) await transact(db, tx => releaseOf(tx, accountId, now));
  };
  return {
    reserve(request) {
      const { id, accountId, allowance, costs, expiresAt } = request;
      const whole = costs.reduce((sum, cost) => sum + cost, 0);
      const all = costs.map(() => true);
      return transact(db, async tx => {
        const held = await hold(tx, request, whole);
        const [inserted] = await open(tx, { ...request, whole });
        if (inserted && held)
          return { id, accountId, period: request.period, allowance, reserved: whole, granted: all };

        let { period } = request;
        if (!inserted) {
          if (held) await addUsage(tx, { accountId, period, held: -whole, spent: 0 });
          const row = await tx
            .selectFrom('charges')
            .select(['state', 'reserved', 'period'])
            .where('id', '=', id)
            .where('account_id', '=', accountId)
            .executeTakeFirstOrThrow();
          period = row.period;
          if (row.state !== 'released') {
            await tx.updateTable('charges').set({ expires_at: expiresAt }).where('id', '=', id).execute();
            const { granted } = grant(costs, row.reserved);
            return { id, accountId, period, allowance, reserved: row.reserved, granted };
          }
          await tx
            .updateTable('charges')
            .set({ state: 'open', reserved: whole, expires_at: expiresAt })
            .where('id', '=', id)
            .execute();
        }
        const { granted, total } = await holdSome(tx, { ...request, period });
        if (total === 0) {
          await tx.deleteFrom('charges').where('id', '=', id).execute();
          return { refused: await readUsage(tx, accountId, period) };
        }
        await tx.updateTable('charges').set({ reserved: total }).where('id', '=', id).execute();
        return { id, accountId, period, allowance, reserved: total, granted };
      });
    },
    settle: (reservation, cost, now) => transact(db, tx => settleIn(tx, reservation, cost, now)),
    async usage(accountId, period, now) {
      await giveBack(accountId, now);
      return readUsage(db, accountId, period);
    },
    async days(accountId, period, now) {
      await giveBack(accountId, now);
      return readDays(db, accountId, period);
    },
    async releaseExpired(now) {
      const accounts = await db
        .selectFrom('charges')
        .select('account_id')
        .distinct()
        .where('state', '=', 'open')
        .where(row => expired(row, now))
        .execute();
      let count = 0;
      for (const { account_id } of accounts) count += await transact(db, tx => releaseOf(tx, account_id, now));
      return count;
    },
    async prune(before) {
      const old = db
        .selectFrom('charges')
        .select('id')
        .where('opened_at', '<', before)
        .where('state', '!=', 'open')
        .limit(1_000);
      const { numDeletedRows } = await db.deleteFrom('charges').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
