import type { EngineStatus } from '../../query/engine/engine-interface.ts';
import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';

/** GET /healthz: the process runs and its event loop is not blocked. */
export function health(): { readonly status: 'ok' } {
  return { status: 'ok' };
}

/** The answer of a server that can answer requests: `degraded` when a part of the release cannot be used. */
interface Readiness extends Omit<EngineStatus, 'waiting'> {
  readonly status: 'ready' | 'degraded';
  /** Names of the damaged layers. */
  readonly damaged: readonly string[];
}

/** Whether the server is shutting down. */
export interface Lifecycle {
  ending: boolean;
}

/**
 * GET /readyz: whether the server can answer, and with which release.
 * @throws ServiceError not_ready, with the same facts, while there is no release, a worker is missing, nothing can be
 * charged, or the server is shutting down.
 */
export async function readiness(ctx: Ctx, { ending }: Lifecycle): Promise<Readiness> {
  const status = ctx.engine.status();
  const { release, datasets, workers, warm, damage } = status;
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
  const damaged = [...new Set(damage.flatMap(({ layers }) => layers))].sort();
  return { status: damage.length > 0 ? 'degraded' : 'ready', release, datasets, workers, warm, damaged, damage };
}
