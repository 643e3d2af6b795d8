import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors/registry.ts';

const MINUTE_MS = 60_000;
/** Clients that are counted at once; of more those that came last. */
const MOST_COUNTED = 10_000;

/** What one client address may do as a guest in a clock minute: readings as many as the smallest plan. */
const GUEST_LIMITS = { token: 10, reading: 60, suggestion: 600 } as const;
export type GuestAct = keyof typeof GUEST_LIMITS;

const NAMES: Readonly<Record<GuestAct, string>> = {
  token: 'tokens for guests at this address',
  reading: 'requests of guests at this address',
  suggestion: 'suggestions for guests at this address',
};

/** Counts what a client does as a guest. @param client as of `clientOf`. @throws ServiceError rate_limited. */
export type GuestLimit = (act: GuestAct, client: string) => void;

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
    const most = GUEST_LIMITS[act];
    if (window.count <= most) return;
    const what = `More than ${most} ${NAMES[act]} in a minute`;
    throw new ServiceError('rate_limited', { what }, {}, Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000));
  };
}
