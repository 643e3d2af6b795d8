import type { EngineStatus } from '../../query/engine/engine-interface.ts';
import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors.ts';

/** GET /healthz: the process runs and its event loop turns. */
export function health(): { readonly status: 'ok' } {
  return { status: 'ok' };
}

/** Whether the server is on its way out. */
export interface Lifecycle {
  ending: boolean;
}

/**
 * GET /readyz: what answers and whether it is warm.
 * @throws ServiceError not_ready, with the same facts,, while there is no release, a worker is missing, nothing can be charged or the server ends.
 */
export async function readiness(ctx: Ctx, { ending }: Lifecycle): Promise<EngineStatus & { readonly status: 'ready' }> {
  const status = ctx.engine.status();
  const { release, datasets, workers } = status;
  const reason = ending
    ? 'the server is ending'
    : release === null
      ? 'no release is published; run `plat ingest run`'
      : workers.ready < workers.size
        ? `${workers.ready} of ${workers.size} workers are ready`
        : (await ctx.state.health.check())
          ? null
          : 'the state store does not answer, so nothing can be charged';
  if (reason !== null) throw new ServiceError('not_ready', { reason }, { release, datasets, workers });
  return { status: 'ready', release, datasets, workers };
}
