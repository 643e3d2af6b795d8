import type { Clock } from '../clock.ts';
import { clientOf, networkOf } from '../http/client.ts';
import type { Attempts } from '../state/sign-in/attempts.ts';
import { digestOf } from '../state/sign-in/digest.ts';
import { LIMITS } from './throttle-limits.ts';

/** A limit of attempts. */
export type LimitName = keyof typeof LIMITS;

/**
 * Limits that an attempt counts against, each with whose it is: one, or several that have a limit each. The store keeps only a
 * digest of that.
 */
export type Tries = Readonly<Partial<Record<LimitName, string | readonly string[]>>>;

/** A limit that is reached. */
export interface Wait {
  readonly limit: LimitName;
  /** Seconds until its window ends. */
  readonly seconds: number;
}

/** The key under which the store counts a limit for somebody. */
export const throttleKey = (name: LimitName, whose: string): string => `${name}:${digestOf(whose)}`;
const entries = (tries: Tries): (readonly [LimitName, string])[] =>
  Object.entries(tries).flatMap(([limit, whose]) => [whose].flat().map(one => [limit as LimitName, one] as const));
const waitOf = (limit: LimitName, now: number): Wait => {
  const { lengthMs } = LIMITS[limit];
  return { limit, seconds: Math.ceil((lengthMs - (now % lengthMs)) / 1000) };
};

/** The first limit that is reached, in the order of the names. */
async function full(attempts: Attempts, now: number, tries: Tries): Promise<Wait | null> {
  for (const [limit, whose] of entries(tries)) {
    const { most, lengthMs } = LIMITS[limit];
    if ((await attempts.counted(throttleKey(limit, whose), now, lengthMs)) >= most) return waitOf(limit, now);
  }
  return null;
}

/** Which of several sets of limits has room in all of its limits. */
async function open(attempts: Attempts, now: number, sets: readonly Tries[]): Promise<Tries | Wait> {
  let wait: Wait | null = null;
  for (const set of sets) {
    wait = await full(attempts, now, set);
    if (!wait) return set;
  }
  return wait ?? {};
}

/** The set of other limits that has room when all limits have, or what to wait for. */
const roomFor = async (attempts: Attempts, now: number, tries: Tries, sets: readonly Tries[]): Promise<Wait | Tries> =>
  (await full(attempts, now, tries)) ?? open(attempts, now, sets);

/**
 * Looks whether an attempt would be refused, without counting it.
 * @param sets other limits, of which one set must have room. @returns what to wait for, or null.
 */
export async function waiting(
  attempts: Attempts,
  clock: Clock,
  tries: Tries,
  ...sets: readonly Tries[]
): Promise<Wait | null> {
  const set = await roomFor(attempts, clock.now(), tries, sets);
  return 'limit' in set ? set : null;
}

/**
 * Counts an attempt against limits. An attempt that is refused counts against none of them.
 * @param sets other limits. The attempt counts against the first set that has room. @returns what to wait for, or null.
 */
export async function throttled(
  attempts: Attempts,
  clock: Clock,
  tries: Tries,
  ...sets: readonly Tries[]
): Promise<Wait | null> {
  const now = clock.now();
  const set = await roomFor(attempts, now, tries, sets);
  if ('limit' in set) return set;
  for (const [limit, whose] of [...entries(tries), ...entries(set)]) {
    const { most, lengthMs } = LIMITS[limit];
    // Another attempt may have come in between.
    if ((await attempts.take(throttleKey(limit, whose), now, lengthMs, most)) === null) return waitOf(limit, now);
  }
  return null;
}

/** Counts one start by a stranger: by client first, then from a network that is new, or against what all share. */
export const throttledStart = (
  attempts: Attempts,
  clock: Clock,
  what: 'registration' | 'metadata' | 'device login',
  ip: string,
): Promise<Wait | null> => {
  const ofClient = {
    registration: 'registration by a client',
    metadata: 'metadata for a client',
    'device login': 'device login of a client',
  } as const;
  return throttled(
    attempts,
    clock,
    { [ofClient[what]]: clientOf(ip) },
    { [`${what} from a network`]: networkOf(ip), [`${what} from networks`]: '' },
    { [what]: '' },
  );
};
