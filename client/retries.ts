import { PlatError } from './errors.ts';

/** How a client repeats requests. */
export interface Retries {
  /** How often a request is sent at most; 1 means no retries. */
  readonly attempts: number;
  /** Longest wait in milliseconds. If the service asks for more, the call fails at once. */
  readonly longestMs: number;
}

export const RETRIES: Retries = { attempts: 4, longestMs: 60_000 };

/** Milliseconds before the second attempt; doubled for each further one. */
const FIRST_MS = 250;
const MOST_MS = 8_000;

/** Milliseconds to add to what the service asks for: growing, and partly random, so that clients spread out. */
const backoff = (attempt: number): number =>
  Math.min(MOST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);

/** Waits. @throws the reason of a signal that aborts. */
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
 * Waits before the next attempt after a failure.
 * @param attempt the one that failed, from 1.
 * @param repeatable whether a repeat changes and costs nothing, even if the service carried out the failed request.
 * @throws the failure, when another attempt cannot help or the wait would be too long.
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
