import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { PLANS } from '../plans.ts';
import { periodOf, resetOf } from '../state/usage/period.ts';
import type { Usage } from '../state/usage/usage.ts';

/** The allowance of an account this month. Credits reserved by running requests count as used. */
interface Allowance {
  readonly credits_included: number;
  readonly credits_used: number;
  /** Credits left of the plan; 0 when a change to a smaller plan left more used than it includes. */
  readonly credits_remaining: number;
  readonly self_imposed_limit: number | null;
  /** The lower of plan and own limit. */
  readonly effective_limit: number;
  readonly resets_at: string;
}

/** Computes the allowance from the ledger's usage. */
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

/** Reads the allowance of the request's account. */
export async function readAllowance(ctx: Ctx): Promise<Allowance> {
  const now = ctx.clock.now();
  return allowanceFrom(ctx, await ctx.state.ledger.usage(accountOf(ctx).id, periodOf(now), now));
}

/** Credits that may still be spent under the lower of both limits. */
export function spendable({ effective_limit, credits_used }: Allowance): number {
  return Math.max(0, effective_limit - credits_used);
}

/** The limit that refuses a cost: `self` when the account's own is the lower one. */
export function limiterOf(allowance: Allowance, cost: number): 'plan' | 'self' | 'none' {
  if (cost <= spendable(allowance)) return 'none';
  return allowance.effective_limit < allowance.credits_included ? 'self' : 'plan';
}

/** Makes the refusal of a cost that exceeds what is left of the month. */
export function creditsExhausted(ctx: Ctx, usage: Usage, cost: number): ServiceError {
  const { plan } = accountOf(ctx);
  const allowance = allowanceFrom(ctx, usage);
  const self = limiterOf(allowance, cost) === 'self';
  return new ServiceError(
    'credits_exhausted',
    {
      what: 'Credits',
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
