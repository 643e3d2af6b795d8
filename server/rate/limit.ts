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

/** How much of a limit of requests is left in its present window. */
export interface Quota {
  /** Name of the window. */
  readonly window: 'minute' | 'second';
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly seconds: number;
}

const WINDOW_SECONDS = { minute: 60, second: 1 } as const;

/** Response headers that tell a client its limit (draft-ietf-httpapi-ratelimit-headers, fields `RateLimit-Policy` and `RateLimit`). */
export const quotaHeaders = ({ window, limit, remaining, seconds }: Quota): Readonly<Record<string, string>> => ({
  'ratelimit-policy': `"${window}";q=${limit};w=${WINDOW_SECONDS[window]}`,
  ratelimit: `"${window}";r=${remaining};t=${seconds}`,
});

/** Counts requests. @throws ServiceError rate_limited with the seconds to the next minute; state_unavailable. */
export interface RateLimit {
  /**
   * Counts a request of an account against its plan.
   * @param withoutState whether to count in this process only while the state store is down.
   * @returns what is left; a request that `isOver` is refused.
   */
  request(account: Account, withoutState?: boolean): Promise<Quota & { readonly isOver: boolean }>;
  /** Counts a request for suggestions, against a limit of its own. @param owner as of `ownerOf`. */
  suggestion(owner: string): Promise<void>;
  /** Counts a request that takes credentials back, against a limit of its own. @param owner as of `ownerOf`. */
  revocation(owner: string): Promise<void>;
}

/** The refusal of a limit of one minute. */
export const refusalOf = (most: number, what: string, seconds: number) =>
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
      const seconds = Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000);
      const quota = { window: 'minute', limit, seconds } as const;
      // Once a minute is used up, refuse without another write.
      const refused = over.get(account.id);
      if (refused?.minute === minute && refused.limit === limit) return { ...quota, remaining: 0, isOver: true };
      const requests = await windows.count(account.id, minute).catch((error: unknown) => {
        if (withoutState && error instanceof StateUnavailable) return countInProcess(account.id, minute);
        throw error;
      });
      if (requests > limit) over.set(account.id, { minute, limit });
      return { ...quota, remaining: Math.max(0, limit - requests), isOver: requests > limit };
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
