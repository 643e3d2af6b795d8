import type { EngineStatus } from '../../query/engine/engine-interface.ts';
import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { ReplicaState } from '../replica/replica-state.ts';

/** GET /healthz: the process runs and its event loop is not blocked. */
export function health(): { readonly status: 'ok' } {
  return { status: 'ok' };
}

/** The answer of a server that can answer requests: `degraded` when a part of the release, or the next one, cannot be used. */
interface Readiness extends Omit<EngineStatus, 'waiting'> {
  readonly status: 'ready' | 'degraded';
  /** Names of the damaged layers. */
  readonly damaged: readonly string[];
}

/** Whether the server is shutting down. */
export interface Lifecycle {
  ending: boolean;
}

/** Why there is no release. */
function unreleased(replica: ReplicaState | null): string {
  if (!replica) return 'no release is published; run `plat ingest run`';
  const { problem, progress } = replica;
  if (problem) return `no release is pulled yet: ${problem.shown}`;
  const MB = 1_000_000;
  return progress
    ? `the first release is being pulled: ${Math.floor(progress.bytes / MB)} of ${Math.ceil(progress.of / MB)} MB have come`
    : 'the first release is waited for; `plat release push` puts one into the store';
}

/**
 * GET /readyz: whether the server can answer, and with which release.
 * @param replica what was said of its pulls last; null for a server of its own releases.
 * @throws ServiceError not_ready, with the same facts, while there is no release, a worker is missing, nothing can be
 * charged, or the server is shutting down.
 */
export async function readiness(ctx: Ctx, { ending }: Lifecycle, replica: ReplicaState | null): Promise<Readiness> {
  const status = ctx.engine.status();
  const { release, datasets, workers, warm } = status;
  const reason = ending
    ? 'the server is ending'
    : release === null
      ? unreleased(replica)
      : workers.ready < workers.size
        ? `${workers.ready} of ${workers.size} workers are ready`
        : (await ctx.state.health.check())
          ? null
          : 'the state store does not answer, so nothing can be charged';
  if (reason !== null) throw new ServiceError('not_ready', { reason }, { release, datasets, workers });
  const unpulled = replica?.problem ? [{ file: 'store', layers: [], problem: replica.problem.shown }] : [];
  const damage = [...status.damage, ...unpulled];
  const damaged = [...new Set(damage.flatMap(({ layers }) => layers))].sort();
  return { status: damage.length > 0 ? 'degraded' : 'ready', release, datasets, workers, warm, damaged, damage };
}
