import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';

/**
 * Runs work and stops it at the deadline of its request.
 * @throws ServiceError resolve_timeout; whatever the work throws.
 */
export async function untilDeadline<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        reject(new ServiceError('resolve_timeout'));
        late.abort();
      },
      Math.max(0, ctx.deadline - ctx.clock.now()),
    );
  });
  try {
    return await Promise.race([work({ ...ctx, signal: AbortSignal.any([ctx.signal, late.signal]) }), limit]);
  } finally {
    clearTimeout(timer);
  }
}
