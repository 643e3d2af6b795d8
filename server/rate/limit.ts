import type { Account } from '../account/account.ts';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import { PLANS } from '../plans.ts';
import type { RequestWindows } from '../state/request-window.ts';

const MINUTE_MS = 60_000;

/** Counts a request of an account. @throws ServiceError rate_limited with the seconds to the next minute. */
export type RateLimit = (account: Account) => Promise<void>;

/** Requests by clock minute and plan, counted in the state store: all servers together keep one limit. */
export function rateLimit(windows: RequestWindows, clock: Clock): RateLimit {
  return async account => {
    const now = clock.now();
    const limit = PLANS[account.plan].requestsPerMinute;
    if ((await windows.count(account.id, Math.floor(now / MINUTE_MS))) <= limit) return;
    throw new ServiceError('rate_limited', { limit }, {}, Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000));
  };
}
