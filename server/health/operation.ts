import type { EngineStatus } from '../../query/engine/engine-interface.ts';
import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors.ts';

/** GET /healthz: the process runs and its event loop turns. */
export function health(): { readonly status: 'ok' } {
  return { status: 'ok' };
}

/**
 * GET /readyz: what answers and whether it is warm.
 * @throws ServiceError not_ready, with the same facts,, while there is no release, a worker is missing or nothing can be charged.
 */
export async function readiness(ctx: Ctx): Promise<EngineStatus & { readonly status: 'ready' }> {
  const status = ctx.engine.status();
  const { release, datasets, workers } = status;
  const reason =
    release === null
      ? 'no release is published; run `plat ingest run`'
      : workers.ready < workers.size
        ? `${workers.ready} of ${workers.size} workers are ready`
        : (await ctx.state.health.check())
          ? null
          : 'the state store does not answer, so nothing can be charged';
  if (reason !== null) throw new ServiceError('not_ready', { reason }, { release, datasets, workers });
  return { status: 'ready', release, datasets, workers };
}
