import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';

/** Milliseconds that one request may take. */
export const PROXIMITY_LIMIT_MS = 30_000;

/** Makes the refusal of a request whose deadline has passed. */
export const deadlineExceeded = (): ServiceError =>
  new ServiceError('proximity_deadline_exceeded', { seconds: PROXIMITY_LIMIT_MS / 1000 });

/**
 * Runs work and stops it at the deadline of its request.
 * @throws ServiceError proximity_deadline_exceeded; whatever the work throws.
 */
export async function untilDeadline<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const left = ctx.deadline - ctx.clock.now();
  // A timer would let work finish that ends before it fires.
  if (left <= 0) throw deadlineExceeded();
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(deadlineExceeded());
      late.abort();
    }, left);
  });
  try {
    return await Promise.race([work({ ...ctx, signal: AbortSignal.any([ctx.signal, late.signal]) }), limit]);
  } finally {
    clearTimeout(timer);
  }
}
