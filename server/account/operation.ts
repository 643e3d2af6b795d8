import type { SessionService } from '../auth/session.ts';
import { endAllSessions } from '../auth/session.ts';
import { accountOf, type Ctx } from '../context.ts';
import { allowanceFrom } from '../credits/allowance.ts';
import { periodOf } from '../state/usage/period.ts';
import type { DayUsage } from '../state/usage/usage-days.ts';
import type { SettingsBody, SignOutBody } from './schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Sums requests and credits by a key, in the order in which each key first appears. */
function summed<K extends string>(days: readonly DayUsage[], key: K, keyOf: (day: DayUsage) => string) {
  const sums = new Map<string, { requests: number; credits: number }>();
  for (const day of days) {
    const sum = sums.get(keyOf(day)) ?? { requests: 0, credits: 0 };
    sums.set(keyOf(day), { requests: sum.requests + day.requests, credits: sum.credits + day.credits });
  }
  return [...sums].map(([of, sum]) => ({ [key]: of, ...sum }) as Record<K, string> & typeof sum);
}

/** GET /v1/users/me/usage: what the account has used this month. The parts add up to `credits_used`. */
export async function readUsage(ctx: Ctx) {
  const { id, plan } = accountOf(ctx);
  const now = ctx.clock.now();
  const period = periodOf(now);
  const { usage, days } = await ctx.state.ledger.days(id, period, now);
  const byEndpoint = days.toSorted((a, b) => (a.endpoint < b.endpoint ? -1 : a.endpoint > b.endpoint ? 1 : 0));
  return {
    plan,
    period,
    ...allowanceFrom(ctx, usage),
    by_endpoint: summed(byEndpoint, 'endpoint', day => day.endpoint),
    by_token: summed(days, 'id', ({ grantId }) => grantId)
      .map(({ id, ...sums }) => ({ id: id || null, ...sums }))
      .sort((a, b) => b.credits - a.credits),
    by_day: summed(days, 'date', ({ day }) => new Date(day * DAY_MS).toISOString().slice(0, 10)),
  };
}

/** PATCH /v1/users/me/settings. All servers apply it from the next request on, because the ledger checks it. */
export async function changeSettings(ctx: Ctx, { monthly_credit_limit: limit }: SettingsBody) {
  const { id } = accountOf(ctx);
  await ctx.state.setMonthlyCreditLimit(id, limit, `account ${id}`);
  return { settings: { monthly_credit_limit: limit } };
}

/**
 * POST /v1/users/me/sign-out: ends the session that asks, or all of the account.
 * @param session the ID token.
 */
export async function signOut(ctx: Ctx, sessions: SessionService, session: string, { everywhere }: SignOutBody) {
  const { id } = accountOf(ctx);
  await sessions.end(session, id);
  if (everywhere) await endAllSessions(ctx.state.identities, ctx.clock, id, 'owner');
}
