import { EngineBusy } from '../../query/engine/engine-interface.ts';
import type { JobClaim } from '../state/jobs/queue.ts';
import { readTraceparent } from '../trace/traceparent.ts';
import { Tracer } from '../trace/tracer.ts';
import { type Ending, Hopeless, type JobKind, type JobServices, type RunningJob } from './job-kind.ts';

/** Heartbeats in the time of one lease. */
const BEATS = 4;

/** Renews a claim while its job runs. */
async function whileHeld<T>(
  { state, log }: JobServices,
  claim: JobClaim,
  stopping: AbortSignal,
  work: (signal: AbortSignal, lost: () => void) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const beat = setInterval(() => {
    state.jobs
      .heartbeat(claim)
      .then(held => held || lost.abort(new Error('the job was cancelled or taken over')))
      .catch(error => log.error({ err: error, job: claim.id }, 'a job could not be kept alive'));
  }, state.jobs.leaseMs / BEATS);
  try {
    return await work(AbortSignal.any([stopping, lost.signal]), () => lost.abort());
  } finally {
    clearInterval(beat);
  }
}

/** Ends a failed attempt; after the last one, applies the effect of the failure. */
async function fail(services: JobServices, kind: JobKind, claim: JobClaim, ending: Ending, last: boolean) {
  const { state, clock } = services;
  return state.jobs.fail(claim, ending.error, last, kind.ended?.(claim, ending, clock));
}

/** Runs a claimed job and stores how it ended. */
export async function doJob(
  services: JobServices,
  kind: JobKind,
  claim: JobClaim,
  stopping: AbortSignal,
): Promise<void> {
  const { state, log } = services;
  if (claim.attempt > claim.lastAttempt) {
    const error = `its process ended before it did, ${claim.attempt - 1} times`;
    await fail(services, kind, claim, { how: 'died', error }, true);
    log.error({ job: claim.id, kind: kind.name }, `a job has failed: ${error}`);
    return;
  }
  await whileHeld(services, claim, stopping, async (signal, lost) => {
    const { id, data, attempt } = claim;
    const job: RunningJob<object> = {
      id,
      data,
      attempt,
      signal,
      async progress(done, total) {
        if (!(await state.jobs.progress(claim, done, total))) lost();
        signal.throwIfAborted();
      },
    };
    try {
      const { traceparent, tracestate } = data as Readonly<Record<string, string | undefined>>;
      const parent = readTraceparent(traceparent, tracestate);
      const tracer = services.tracer ?? new Tracer();
      const effect = await tracer.during(parent, `job ${kind.name}`, () => kind.run(services, job));
      // The claim was lost: whoever took the job over does it again.
      if (!(await state.jobs.finish(claim, effect))) log.error({ job: id, kind: kind.name }, 'a job was fenced off');
    } catch (error) {
      if (signal.aborted && !stopping.aborted) return;
      const stopped = stopping.aborted;
      if (stopped && kind.attempts > 1) {
        await state.jobs.handBack(claim);
        return;
      }
      const { message } = error as Error;
      const last = error instanceof Hopeless;
      const ending: Ending = stopped
        ? { how: 'died', error: 'the server was stopped' }
        : { how: 'failed', error: message };
      const outcome = await fail(services, kind, claim, ending, last);
      if (stopped || error instanceof EngineBusy) return;
      log.error(
        { err: error, job: id, kind: kind.name, attempt },
        outcome === 'failed' ? 'a job has failed' : 'an attempt at a job failed',
      );
    }
  });
}
