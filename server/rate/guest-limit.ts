import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Counted } from './limit.ts';

const MINUTE_MS = 60_000;
/** Clients that are counted at once; of more those that came last. */
const MOST_COUNTED = 10_000;

/** What one client address may do as a guest in a clock minute: readings as many as the smallest plan. */
const GUEST_LIMITS = {
  token: { window: 'guest-tokens', limit: 10 },
  reading: { window: 'guests', limit: 60 },
  suggestion: { window: 'guest-suggestions', limit: 600 },
} as const;
type GuestAct = keyof typeof GUEST_LIMITS;

/** Counts what a client does as a guest, and says what is left. @param client as of `clientOf`. */
export type GuestLimit = (act: GuestAct, client: string) => Counted;

/** Counts in the memory of this process: guests leave nothing in the state store. */
export function guestLimit(clock: Clock): GuestLimit {
  const windows = new LRUCache<string, { readonly minute: number; count: number }>({ max: MOST_COUNTED });
  return (act, client) => {
    const now = clock.now();
    const minute = Math.floor(now / MINUTE_MS);
    const key = `${act} ${client}`;
    const before = windows.get(key);
    const window = before?.minute === minute ? before : { minute, count: 0 };
    window.count++;
    windows.set(key, window);
    const quota = GUEST_LIMITS[act];
    return {
      ...quota,
      remaining: Math.max(0, quota.limit - window.count),
      seconds: Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000),
      isOver: window.count > quota.limit,
    };
  };
}
