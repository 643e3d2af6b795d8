import { setTimeout as sleep } from 'node:timers/promises';
import { topicOf } from '../state/jobs/queue.ts';
import { StateUnavailable } from '../state/outage/unavailable.ts';
import { doJob } from './attempt.ts';
import { type JobKind, type JobServices, jobOf } from './job-kind.ts';

/** How often a kind is looked for where additions of other processes are not heard, and where they are. */
const LOOK_MS = 1_000;
const LOOK_HEARD_MS = 5_000;
/** How often schedules are looked at and dead processes looked for. */
const ROUND_MS = 2_000;

/** Works on jobs in the background. */
export interface JobWorker {
  /**
   * Begins nothing more and lets what runs end. What has not ended then is handed back, for another server to begin anew;
   * what may be begun only once has failed.
   * @param ms that running jobs may still take.
   */
  stop(ms?: number): Promise<void>;
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
