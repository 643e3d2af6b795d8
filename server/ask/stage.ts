import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';

/**
 * Runs a stage until the client goes, the stage's own time ends, or the time of the whole question ends.
 * @param limitMs milliseconds for the stage.
 * @throws ServiceError ask_timeout; whatever the work throws.
 */
export async function within<T>(ctx: Ctx, limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        // Reject before the aborted work rejects.
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
    // The cut-off work fails later; nobody waits for it.
    working?.catch(() => {});
  }
}
