import { accountOf, type Ctx } from '../context.ts';
import { readAllowance } from '../credits/allowance.ts';
import { periodOf } from '../credits/period.ts';

/** GET /v1/users/me/usage: what the account has used of this month. */
export async function readUsage(ctx: Ctx) {
  return { plan: accountOf(ctx).plan, period: periodOf(ctx.clock.now()), ...(await readAllowance(ctx)) };
}
