import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors/registry.ts';
import { PLANS } from '../plans.ts';
import type { Account } from '../state/account.ts';
import { StateUnavailable } from '../state/outage/unavailable.ts';
import type { StateStore } from '../state/store.ts';
import { throttled } from './throttle.ts';
import { LIMITS } from './throttle-limits.ts';

const MINUTE_MS = 60_000;
const MOST_COUNTED = 10_000;

/** Counts requests. @throws ServiceError rate_limited with the seconds to the next minute; state_unavailable. */
export interface RateLimit {
  /**
   * Counts a request of an account against its plan.
   * @param withoutState whether to count in this process only while the state store is down.
   */
  request(account: Account, withoutState?: boolean): Promise<void>;
  /** Counts a request for suggestions, against a limit of its own. @param owner as of `ownerOf`. */
  suggestion(owner: string): Promise<void>;
  /** Counts a request that takes credentials back, against a limit of its own. @param owner as of `ownerOf`. */
  revocation(owner: string): Promise<void>;
}

const refusalOf = (most: number, what: string, seconds: number) =>
  new ServiceError('rate_limited', { what: `More than ${most} ${what} in a minute` }, {}, seconds);

/** Counts requests by clock minute in the state store, so that all servers together keep one limit. */
export function rateLimit({ requests: windows, attempts }: StateStore, clock: Clock): RateLimit {
  const ofProcess = new LRUCache<string, { readonly minute: number; requests: number }>({ max: MOST_COUNTED });
  const over = new LRUCache<string, { readonly minute: number; readonly limit: number }>({ max: MOST_COUNTED });
  const countInProcess = (accountId: string, minute: number): number => {
    const window = ofProcess.get(accountId);
    if (window?.minute === minute) return ++window.requests;
    ofProcess.set(accountId, { minute, requests: 1 });
    return 1;
  };
  return {
    async request(account, withoutState = false) {
      const now = clock.now();
      const minute = Math.floor(now / MINUTE_MS);
      const limit = PLANS[account.plan].requestsPerMinute;
      const refusal = () => refusalOf(limit, 'requests', Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000));
      // Once a minute is used up, refuse without another write.
      const refused = over.get(account.id);
      if (refused?.minute === minute && refused.limit === limit) throw refusal();
      const requests = await windows.count(account.id, minute).catch((error: unknown) => {
        if (withoutState && error instanceof StateUnavailable) return countInProcess(account.id, minute);
        throw error;
      });
      if (requests <= limit) return;
      over.set(account.id, { minute, limit });
      throw refusal();
    },
    async suggestion(owner) {
      const wait = await throttled(attempts, clock, { suggestions: owner });
      if (wait) throw refusalOf(LIMITS.suggestions.most, 'suggestions', wait.seconds);
    },
    async revocation(owner) {
      const wait = await throttled(attempts, clock, { revocations: owner });
      if (wait) throw refusalOf(LIMITS.revocations.most, 'requests about credentials', wait.seconds);
    },
  };
}
