import { accountOf, type Ctx } from '../context.ts';
import type { ServiceError } from '../errors/registry.ts';
import { PLANS } from '../plans.ts';
import type { Reservation } from '../state/ledger.ts';
import { periodOf } from '../state/usage/period.ts';
import { creditsExhausted } from './allowance.ts';
import { takeFromBudget } from './budget.ts';

/**
 * Milliseconds after its deadline in which a request may still settle. Then it counts as dead and its credits are
 * released.
 */
const GRACE_MS = 60_000;

/**
 * Reserves credits before work.
 * @param id of the charge. It must not come from a caller, because the same id is charged once.
 * @param endpoint under which the ledger files it.
 * @param costs credits of each part of the work, at least one part; see `granted` for those that may run.
 * @throws ServiceError credits_exhausted when not one part fits, token_budget_exhausted when all do not fit the budget of who asks.
 */
export async function reserveCredits(
  ctx: Ctx,
  id: string,
  endpoint: string,
  costs: readonly number[],
): Promise<Reservation> {
  const account = accountOf(ctx);
  const now = ctx.clock.now();
  const whole = costs.reduce((sum, cost) => sum + cost, 0);
  const budget = await takeFromBudget(ctx, whole);
  const back = () => budget && ctx.state.budgets.giveBack(budget);
  const request = {
    id,
    accountId: account.id,
    period: periodOf(now),
    endpoint,
    grantId: ctx.credential && 'grantId' in ctx.credential ? ctx.credential.grantId : '',
    costs,
    allowance: PLANS[account.plan].creditsPerMonth,
    now,
    expiresAt: ctx.deadline + GRACE_MS,
  };
  const held = await ctx.state.ledger.reserve(request).catch(async (error: unknown) => {
    await back();
    throw error;
  });
  if ('refused' in held) {
    await back();
    throw creditsExhausted(ctx, held.refused, Math.min(...costs));
  }
  return budget ? { ...held, budget } : held;
}

/** Makes the refusal for a part that was not granted, or for work that outlived its reservation. */
export async function shortage(ctx: Ctx, cost: number): Promise<ServiceError> {
  const now = ctx.clock.now();
  return creditsExhausted(ctx, await ctx.state.ledger.usage(accountOf(ctx).id, periodOf(now), now), cost);
}

/**
 * Charges the cost of the work. Must finish before the result is sent.
 * @param cost 0 releases everything.
 * @throws ServiceError credits_exhausted when the reservation had expired and its credits are gone.
 */
export async function settleCredits(ctx: Ctx, reservation: Reservation, cost: number): Promise<void> {
  const sums = await ctx.state.ledger.settle(reservation, cost, ctx.clock.now());
  if (!sums) throw await shortage(ctx, cost);
  ctx.bill.add(cost, reservation.allowance, sums);
}
