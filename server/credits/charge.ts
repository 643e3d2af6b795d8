import { accountOf, type Ctx } from '../context.ts';
import type { ServiceError } from '../errors/registry.ts';
import { periodOf } from '../period.ts';
import { PLANS } from '../plans.ts';
import type { Reservation } from '../state/ledger.ts';
import { creditsExhausted } from './allowance.ts';

/** How long after its deadline a request may still settle before it is taken for dead and its credits are given back. */
const GRACE_MS = 60_000;

/**
 * Holds credits before work.
 * @param id of the charge: never one that a caller chose, because the same id is charged once.
 * @param endpoint as the ledger files it.
 * @param costs credits of each part of the work, at least one part; see `granted` for those that may run.
 * @throws ServiceError credits_exhausted when not one part fits.
 */
export async function reserveCredits(
  ctx: Ctx,
  id: string,
  endpoint: string,
  costs: readonly number[],
): Promise<Reservation> {
  const account = accountOf(ctx);
  const now = ctx.clock.now();
  const held = await ctx.state.ledger.reserve({
    id,
    accountId: account.id,
    period: periodOf(now),
    endpoint,
    costs,
    allowance: PLANS[account.plan].creditsPerMonth,
    now,
    expiresAt: ctx.deadline + GRACE_MS,
  });
  if ('refused' in held) throw creditsExhausted(ctx, held.refused, Math.min(...costs));
  return held;
}

/** The refusal of a cost as things stand now: for a part that was not granted, or work that outlived its reservation. */
export async function shortage(ctx: Ctx, cost: number): Promise<ServiceError> {
  const now = ctx.clock.now();
  return creditsExhausted(ctx, await ctx.state.ledger.usage(accountOf(ctx).id, periodOf(now), now), cost);
}

/**
 * Charges what the work came to; must be through before its result is answered.
 * @param cost 0 gives everything back.
 * @throws ServiceError credits_exhausted when the reservation had expired and its credits are gone.
 */
export async function settleCredits(ctx: Ctx, reservation: Reservation, cost: number): Promise<void> {
  if (!(await ctx.state.ledger.settle(reservation, cost, ctx.clock.now()))) throw await shortage(ctx, cost);
}
