import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { periodOf, resetOf } from '../period.ts';
import { PLANS } from '../plans.ts';
import type { Usage } from '../state/usage/usage.ts';

/** How an account stands this month. Credits that running requests have reserved count as used. */
interface Allowance {
  readonly credits_included: number;
  readonly credits_used: number;
  /** Of the plan's; never below 0, where a smaller plan may have left more used than it includes. */
  readonly credits_remaining: number;
  readonly self_imposed_limit: number | null;
  /** The tighter of both. */
  readonly effective_limit: number;
  readonly resets_at: string;
}

/** An allowance from what the ledger says. */
export function allowanceFrom(ctx: Ctx, { spent, held, selfLimit }: Usage): Allowance {
  const included = PLANS[accountOf(ctx).plan].creditsPerMonth;
  const used = spent + held;
  return {
    credits_included: included,
    credits_used: used,
    credits_remaining: Math.max(0, included - used),
    self_imposed_limit: selfLimit,
    effective_limit: Math.min(included, selfLimit ?? included),
    resets_at: resetOf(ctx.clock.now()).toISOString(),
  };
}

/** How the account of a request stands now. */
export async function readAllowance(ctx: Ctx): Promise<Allowance> {
  const now = ctx.clock.now();
  return allowanceFrom(ctx, await ctx.state.ledger.usage(accountOf(ctx).id, periodOf(now), now));
}

/** Credits that may still be spent under the tighter of both limits. */
export function spendable({ effective_limit, credits_used }: Allowance): number {
  return Math.max(0, effective_limit - credits_used);
}

/** Which limit refuses a cost: the account's own when it is the tighter one. */
export function limiterOf(allowance: Allowance, cost: number): 'plan' | 'self' | 'none' {
  if (cost <= spendable(allowance)) return 'none';
  return allowance.effective_limit < allowance.credits_included ? 'self' : 'plan';
}

/** The refusal of a cost that the month no longer holds. */
export function creditsExhausted(ctx: Ctx, usage: Usage, cost: number): ServiceError {
  const { plan } = accountOf(ctx);
  const allowance = allowanceFrom(ctx, usage);
  const self = limiterOf(allowance, cost) === 'self';
  return new ServiceError(
    'credits_exhausted',
    {
      required: cost,
      remaining: spendable(allowance),
      limit: allowance.effective_limit,
      whose: self ? 'under the limit this account set itself' : `on plan ${plan}`,
      resets: allowance.resets_at,
    },
    {
      plan,
      credits_required: cost,
      credits_included: allowance.credits_included,
      credits_used: allowance.credits_used,
      credits_remaining: allowance.credits_remaining,
      self_imposed_limit: self ? allowance.self_imposed_limit : null,
      resets_at: allowance.resets_at,
    },
    new Date(allowance.resets_at),
  );
}
