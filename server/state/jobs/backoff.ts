/**
 * Milliseconds between a failed attempt and the next one. The delay doubles each time; the result is a random value
 * between half of it and all of it, so that jobs that failed together do not return together.
 * @param attempt the one that failed, from 1.
 */
export function backoffMs(attempt: number, retryMs: number, mostMs: number): number {
  const longest = Math.min(mostMs, retryMs * 2 ** Math.min(16, attempt - 1));
  return Math.round(longest * (0.5 + Math.random() / 2));
}
