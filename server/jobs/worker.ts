import { setTimeout as sleep } from 'node:timers/promises';
import { EngineBusy } from '../../query/engine/engine-interface.ts';
import { type JobClaim, topicOf } from '../state/jobs/queue.ts';
import { StateUnavailable } from '../state/outage/unavailable.ts';
import { type Ending, Hopeless, type JobKind, type JobServices, jobOf, type RunningJob } from './job-kind.ts';

/** How often a kind is looked for where additions of other processes are not heard, and where they are. */
const LOOK_MS = 1_000;
const LOOK_HEARD_MS = 5_000;
/** How often schedules are looked at and dead processes looked for. */
const ROUND_MS = 2_000;
/** Heartbeats that fit in a lease. */
const BEATS = 4;

/** Works on jobs in the background. */
export interface JobWorker {
  /**
   * Begins nothing more and lets what runs end. What has not ended then is handed back, for another server to begin anew;
   * what may be begun only once has failed.
   * @param ms that running jobs may still take.
   */
  stop(ms?: number): Promise<void>;
}

/** Keeps a claim alive while its job runs. */
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

/** Ends an attempt that came to nothing, with what that changes when it was the last. */
async function fail(services: JobServices, kind: JobKind, claim: JobClaim, ending: Ending, last: boolean) {
  const { state, clock } = services;
  return state.jobs.fail(claim, ending.error, last, kind.ended?.(claim, ending, clock));
}

/** Does a claimed job and files how it ended. */
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
      const effect = await kind.run(services, job);
      // Lost meanwhile: whoever took it over does it again.
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

/**
 * Works on jobs until it is stopped: of each kind so many at once, each process for itself. Any number of processes may
 * work on one store.
 */
export function workOnJobs(services: JobServices, kinds: readonly JobKind[]): JobWorker {
  const { state, clock, log } = services;
  /** Nothing more is begun, and then: what runs is to end. */
  const ending = new AbortController();
  const stopping = new AbortController();
  const { signal } = ending;
  /** Says what went wrong in the background, but for outages, which have a line of their own. */
  const quietly = (message: string) => (error: unknown) => {
    if (!(error instanceof StateUnavailable)) log.error({ err: error }, message);
  };

  const lane = async (kind: JobKind) => {
    let added = false;
    let wake = () => {};
    const stop = state.changes.listen(topicOf(kind.name), () => {
      added = true;
      wake();
    });
    while (!signal.aborted) {
      added = false;
      try {
        const claim = await state.jobs.claim(kind.name);
        if (claim) {
          await doJob(services, kind, claim, stopping.signal);
          continue;
        }
      } catch (error) {
        quietly('jobs could not be looked for')(error);
      }
      if (added) continue;
      const look = new AbortController();
      wake = () => look.abort();
      const ms = (state.changes.acrossProcesses ? LOOK_HEARD_MS : LOOK_MS) * (0.75 + Math.random() / 2);
      await sleep(ms, undefined, { ref: false, signal: AbortSignal.any([look.signal, signal]) }).catch(() => {});
    }
    stop();
  };

  const rounds = async () => {
    const scheduled = kinds.filter(kind => kind.cron !== undefined);
    let told = false;
    while (!signal.aborted) {
      try {
        if (!told)
          for (const kind of scheduled)
            await state.jobs.schedule({ ...jobOf(kind, 'schedule', {}), key: 'schedule' }, kind.cron!, clock.now());
        told = true;
        await state.jobs.enqueueDue(clock.now());
        await state.jobs.maintain();
      } catch (error) {
        quietly('jobs could not be supervised')(error);
      }
      await sleep(ROUND_MS * (0.75 + Math.random() / 2), undefined, { ref: false, signal }).catch(() => {});
    }
  };

  const lanes = kinds.flatMap(kind => Array.from({ length: kind.atOnce }, () => lane(kind)));
  const working = Promise.all([...lanes, rounds()]);
  return {
    async stop(ms = 0) {
      const stop = () => stopping.abort(new Error('the server stops'));
      const late = ms > 0 ? setTimeout(stop, ms) : stop();
      ending.abort();
      await working;
      clearTimeout(late ?? undefined);
    },
  };
}
