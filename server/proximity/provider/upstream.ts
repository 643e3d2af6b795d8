import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../errors/registry.ts';
import { Dropped, type Exchange, type ExchangeTerms, TimedOut } from '../../upstream/exchange.ts';
import { deadlineExceeded } from '../deadline.ts';
import type { RoutingTerms } from './provider.ts';

/** Statuses after which a second try may succeed. */
const PASSING = new Set([429, 502, 503, 504]);
const REFUSED = new Set([400, 401, 403, 404, 413, 422]);
/** Milliseconds before the second and last try. */
const PAUSE_MS = 200;
/** Largest answer in bytes. No table that is asked for is larger. */
const MAX_BYTES = 4 << 20;

/** The time limit of a provider, and the clock for its deadline. */
export interface UpstreamOptions {
  readonly timeoutMs: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const transient = (reason: string) => new ServiceError('upstream_transient', { reason });

/** The error for a refusing status. The provider's text is not repeated, because it may hold the credential. */
export function refusal(status: number): ServiceError {
  if (status === 401 || status === 403)
    return new ServiceError('upstream_auth', { reason: 'it does not accept the credential' });
  if (REFUSED.has(status)) return new ServiceError('upstream_auth', { reason: `it rejects the request (${status})` });
  return new ServiceError('upstream_error', { reason: `it answered with status ${status}` });
}

/**
 * Sends a request to a provider. It tries again once after a temporary failure; the request changes nothing there.
 * @param send makes one exchange. @param accepted statuses besides 200 whose body the caller reads.
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
        // A provider that was too slow would be too slow again.
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

/** Makes the error for an answer that does not follow the protocol. */
export const notOfProtocol = (): ServiceError =>
  new ServiceError('upstream_error', { reason: 'its answer is not of its protocol' });
