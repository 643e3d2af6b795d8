import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';

/**
 * Runs a stage until its client has gone, its own time is over or the whole question's is.
 * @param limitMs that the stage may take.
 * @throws ServiceError ask_timeout; whatever the work throws.
 */
export async function within<T>(ctx: Ctx, limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        // Rejects before the work does because of the abort.
        reject(new ServiceError('ask_timeout'));
        late.abort();
      },
      Math.max(0, Math.min(limitMs, ctx.deadline - ctx.clock.now())),
    );
  });
  let working: Promise<T> | undefined;
  try {
    working = work(AbortSignal.any([ctx.signal, late.signal]));
    return await Promise.race([working, limit]);
  } finally {
    clearTimeout(timer);
    late.abort();
    // What was cut off fails later, and nobody waits for it.
    working?.catch(() => {});
  }
}
