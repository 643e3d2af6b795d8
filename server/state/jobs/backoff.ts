/**
 * Milliseconds before an attempt follows one that failed: doubled each time, then between half of it and all of it, so
 * that what failed together does not come back together.
 * @param attempt the one that failed, from 1.
 */
export function backoffMs(attempt: number, retryMs: number, mostMs: number): number {
  const longest = Math.min(mostMs, retryMs * 2 ** Math.min(16, attempt - 1));
  return Math.round(longest * (0.5 + Math.random() / 2));
}
