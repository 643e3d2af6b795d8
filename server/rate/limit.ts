import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors/registry.ts';
import { PLANS } from '../plans.ts';
import type { Account } from '../state/account.ts';
import { StateUnavailable } from '../state/outage/unavailable.ts';
import type { StateStore } from '../state/store.ts';
import { throttleKey } from './throttle.ts';
import { LIMITS } from './throttle-limits.ts';

const MINUTE_MS = 60_000;
const MOST_COUNTED = 10_000;

/** How much of a limit of requests is left in its present window. */
export interface Quota {
  /** Name of the limit, the same in both headers: limits that count apart have names of their own. */
  readonly window: keyof typeof WINDOW_SECONDS;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly seconds: number;
}

/** Seconds of each window. */
const WINDOW_SECONDS = {
  minute: 60,
  second: 1,
  suggestions: 60,
  revocations: 60,
  guests: 60,
  'guest-tokens': 60,
  'guest-suggestions': 60,
} as const;

/** A quota, and whether the request that was counted is one too many. */
export type Counted = Quota & { readonly isOver: boolean };

/**
 * Tells a client a limit in the response headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11).
 * A request that counts against several limits tells all of them: both headers are lists.
 */
export function tellQuota(reply: FastifyReply, { window, limit, remaining, seconds }: Quota): void {
  const tell = (name: string, item: string) => {
    const before = reply.getHeader(name);
    reply.header(name, before === undefined ? item : `${before}, ${item}`);
  };
  tell('ratelimit-policy', `"${window}";q=${limit};w=${WINDOW_SECONDS[window]}`);
  tell('ratelimit', `"${window}";r=${remaining};t=${seconds}`);
}

/** Counts requests, and says what is left; a request that `isOver` is refused. @throws ServiceError state_unavailable. */
export interface RateLimit {
  /**
   * Counts a request of an account against its plan.
   * @param withoutState whether to count in this process only while the state store is down.
   */
  request(account: Account, withoutState?: boolean): Promise<Counted>;
  /** Counts a request for suggestions, against a limit of its own. @param owner as of `ownerOf`. */
  suggestion(owner: string): Promise<Counted>;
  /** Counts a request that takes credentials back, against a limit of its own. @param owner as of `ownerOf`. */
  revocation(owner: string): Promise<Counted>;
}

/** What is counted by each limit of a minute, for people. */
const COUNTED: Readonly<Record<Quota['window'], string>> = {
  minute: 'requests',
  second: 'requests',
  suggestions: 'suggestions',
  revocations: 'requests about credentials',
  guests: 'requests of guests at this address',
  'guest-tokens': 'tokens for guests at this address',
  'guest-suggestions': 'suggestions for guests at this address',
};

/**
 * Tells a client its limit, and refuses what is one too many.
 * @throws ServiceError rate_limited with the seconds to the next minute.
 */
export function admitCounted(reply: FastifyReply, counted: Counted): void {
  tellQuota(reply, counted);
  const { window, limit, seconds } = counted;
  if (counted.isOver)
    throw new ServiceError('rate_limited', { what: `More than ${limit} ${COUNTED[window]} in a minute` }, {}, seconds);
}

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
  const ofOwner = async (window: 'suggestions' | 'revocations', owner: string): Promise<Counted> => {
    const { most, lengthMs } = LIMITS[window];
    const now = clock.now();
    const minute = Math.floor(now / lengthMs);
    const quota = { window, limit: most, seconds: Math.ceil((lengthMs - (now % lengthMs)) / 1000) };
    const key = throttleKey(window, owner);
    const count = over.get(key)?.minute === minute ? null : await attempts.take(key, now, lengthMs, most);
    if (count === null) over.set(key, { minute, limit: most });
    return { ...quota, remaining: count === null ? 0 : most - count, isOver: count === null };
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
    suggestion: owner => ofOwner('suggestions', owner),
    revocation: owner => ofOwner('revocations', owner),
  };
}
