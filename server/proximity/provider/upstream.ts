import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../errors/registry.ts';
import { Dropped, type Exchange, type ExchangeTerms, TimedOut } from '../../upstream/exchange.ts';
import { deadlineExceeded } from '../deadline.ts';
import type { RoutingTerms } from './provider.ts';

/** Statuses after which the same question may be answered. */
const PASSING = new Set([429, 502, 503, 504]);
const REFUSED = new Set([400, 401, 403, 404, 413, 422]);
/** Milliseconds before the second and last try. */
const PAUSE_MS = 200;
/** No table that is asked for at once is larger. */
const MAX_BYTES = 4 << 20;

/** How long a provider may take, and by which clock its deadline is told. */
export interface UpstreamOptions {
  readonly timeoutMs: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const transient = (reason: string) => new ServiceError('upstream_transient', { reason });

/** What a refusing status means; the provider's words are not repeated, they may hold the credential. */
export function refusal(status: number): ServiceError {
  if (status === 401 || status === 403)
    return new ServiceError('upstream_auth', { reason: 'it does not accept the credential' });
  if (REFUSED.has(status)) return new ServiceError('upstream_auth', { reason: `it rejects the request (${status})` });
  return new ServiceError('upstream_error', { reason: `it answered with status ${status}` });
}

/**
 * Asks a provider, twice where the first try met passing trouble: a table changes nothing there.
 * @param send one exchange. @param accepted statuses besides 200 whose body the caller reads.
 * @throws ServiceError upstream_transient, upstream_auth, upstream_error, proximity_deadline_exceeded; AbortError.
 */
export async function askUpstream(
  send: (terms: ExchangeTerms) => Promise<Exchange>,
  { deadline, signal }: RoutingTerms,
  { timeoutMs, now }: UpstreamOptions,
  accepted: ReadonlySet<number> = new Set(),
): Promise<Exchange> {
  for (let again = true; ; again = false) {
    const left = deadline - now();
    if (left <= 0) throw deadlineExceeded();
    let trouble: ServiceError;
    try {
      const exchange = await send({ limitMs: Math.min(timeoutMs, left), signal, maxBytes: MAX_BYTES });
      const { status } = exchange;
      if (status === 200 || (accepted.has(status) && exchange.body !== undefined)) return exchange;
      if (!PASSING.has(status)) throw refusal(status);
      trouble = transient(`it answered with status ${status}`);
    } catch (error) {
      if (error instanceof TimedOut) {
        if (now() >= deadline) throw deadlineExceeded();
        // Whoever is too slow is not made faster by being asked again.
        throw transient(`it did not answer within ${timeoutMs} ms`);
      }
      if (!(error instanceof Dropped)) throw error;
      trouble = transient(error.message);
    }
    if (!again) throw trouble;
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {
      throw new DOMException('The request was aborted', 'AbortError');
    });
  }
}

/** An answer that is not what the protocol says. */
export const notOfProtocol = (): ServiceError =>
  new ServiceError('upstream_error', { reason: 'its answer is not of its protocol' });
