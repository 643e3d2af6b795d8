import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Attempts } from '../state/sign-in/attempts.ts';
import { LIMITS } from './throttle-limits.ts';

/**
 * Counts an attempt against limits. The store keeps only a digest of the address.
 * @returns seconds to wait, or 0.
 */
export async function throttled(
  attempts: Attempts,
  clock: Clock,
  tries: Readonly<Partial<Record<keyof typeof LIMITS, string>>>,
): Promise<number> {
  const now = clock.now();
  const waits = Object.entries(tries).map(async ([name, whose]) => {
    const { most, lengthMs } = LIMITS[name as keyof typeof LIMITS];
    const key = `${name}:${createHash('sha256').update(whose).digest('base64url')}`;
    const tried = await attempts.count(key, now, lengthMs);
    return tried > most ? Math.ceil((lengthMs - (now % lengthMs)) / 1000) : 0;
  });
  return Math.max(...(await Promise.all(waits)));
}
