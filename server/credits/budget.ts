import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { BudgetShare } from '../state/agents/budgets.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Takes credits from the budget of the token or agent that asks, before work.
 * @returns what was taken; null where it has no budget of its own.
 * @throws ServiceError scope_insufficient, token_budget_exhausted.
 */
export async function takeFromBudget({ credential, clock, state }: Ctx, credits: number): Promise<BudgetShare | null> {
  if (credential?.kind !== 'token' && credential?.kind !== 'grant') return null;
  const { creditsADay: limit, grantId, scopes } = credential;
  // An endpoint that costs nothing as a rule may be asked for something that does, a drive for example.
  if (credits > 0 && !scopes.includes('spend'))
    throw new ServiceError(
      'scope_insufficient',
      { missing: 'spend', scopes: scopes.join(', ') },
      { required: ['spend'], scopes },
    );
  if (limit === null) return null;
  const day = Math.floor(clock.now() / DAY_MS);
  const share = { grantId, day, credits };
  const refused = await state.budgets.take(share, limit);
  if (!refused) return share;
  const resets = new Date((day + 1) * DAY_MS);
  const resetsAt = resets.toISOString();
  throw new ServiceError(
    'token_budget_exhausted',
    { required: credits, remaining: refused.left, limit, resets: resetsAt },
    { credits_required: credits, credits_a_day: limit, credits_remaining: refused.left, resets_at: resetsAt },
    // What is more than the budget of a day is refused on every day.
    credits > limit ? null : resets,
  );
}
