import { PlatError } from './errors.ts';

/** How requests are sent again. */
export interface Retries {
  /** How often a request is sent at most; 1 for once. */
  readonly attempts: number;
  /** Milliseconds of the longest wait: what the service wants more for fails at once. */
  readonly longestMs: number;
}

export const RETRIES: Retries = { attempts: 4, longestMs: 60_000 };

/** Milliseconds before the second attempt, doubled each time. */
const FIRST_MS = 250;
const MOST_MS = 8_000;

/** Milliseconds to wait beside what the service asks for: longer each time, and by chance, so that clients part. */
const backoff = (attempt: number): number =>
  Math.min(MOST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);

/** Waits, or throws the reason of a signal that aborts. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const aborted = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

/**
 * Waits before the attempt that follows one that failed.
 * @param attempt the one that failed, from 1.
 * @param repeatable whether the request may have been carried out already: what broke is sent again only where that changes
 * and costs nothing.
 * @throws the failure, where sending it again is of no use or would take too long.
 */
export async function waitAfter(
  failure: unknown,
  attempt: number,
  repeatable: boolean,
  { attempts, longestMs }: Retries,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal?.aborted || attempt >= attempts) throw failure;
  if (failure instanceof PlatError ? !failure.retryable : !repeatable) throw failure;
  const wanted = failure instanceof PlatError ? (failure.retryAfterMs ?? 0) : 0;
  if (wanted > longestMs) throw failure;
  await sleep(wanted + backoff(attempt), signal);
}
