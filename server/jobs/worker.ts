import { setTimeout as sleep } from 'node:timers/promises';
import { topicOf } from '../state/jobs/queue.ts';
import { StateUnavailable } from '../state/outage/unavailable.ts';
import { AccountShare } from './account-share.ts';
import { doJob } from './attempt.ts';
import { type JobKind, type JobServices, jobOf } from './job-kind.ts';

/** Milliseconds between looks for jobs: where additions by other processes are not announced, and where they are. */
const LOOK_MS = 1_000;
const LOOK_HEARD_MS = 5_000;
/** Milliseconds between looks at schedules and for dead processes. */
const ROUND_MS = 2_000;

/** Runs jobs in the background. */
export interface JobWorker {
  /**
   * Starts no more jobs and lets running ones end. Those that do not end in time go back to the queue, for another
   * server to start again. A job that has only one attempt fails.
   * @param ms that running jobs may still take.
   */
  stop(ms?: number): Promise<void>;
}

/**
 * Runs jobs until it is stopped, up to `atOnce` of each kind in this process, but not all of them for one account. Any
 * number of processes may work on one store.
 */
export function workOnJobs(services: JobServices, kinds: readonly JobKind[]): JobWorker {
  const { state, clock, log } = services;
  /** Aborts when no more jobs may start; running ones are then to end. */
  const ending = new AbortController();
  const stopping = new AbortController();
  const { signal } = ending;
  /** Logs a failure in the background. Outages are left out, because they are logged elsewhere. */
  const quietly = (message: string) => (error: unknown) => {
    if (!(error instanceof StateUnavailable)) log.error({ err: error }, message);
  };

  /** Claims and does jobs of a kind, one after the other. @param share of the accounts, for all lanes of the kind. */
  const lane = async (kind: JobKind, share: AccountShare) => {
    let added = false;
    let wake = () => {};
    const look = () => {
      added = true;
      wake();
    };
    const stop = state.changes.listen(topicOf(kind.name), look);
    share.onFree(look);
    while (!signal.aborted) {
      added = false;
      try {
        const claim = await share.claim(except => state.jobs.claim(kind.name, except));
        if (claim) {
          await doJob(services, kind, claim, stopping.signal).finally(() => share.leave(claim.account));
          continue;
        }
      } catch (error) {
        quietly('jobs could not be looked for')(error);
      }
      if (added) continue;
      const rest = new AbortController();
      wake = () => rest.abort();
      const ms = (state.changes.acrossProcesses ? LOOK_HEARD_MS : LOOK_MS) * (0.75 + Math.random() / 2);
      await sleep(ms, undefined, { ref: false, signal: AbortSignal.any([rest.signal, signal]) }).catch(() => {});
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
            await state.jobs.schedule(
              { ...jobOf(kind, 'schedule', {}, null), key: 'schedule' },
              kind.cron!,
              clock.now(),
            );
        told = true;
        await state.jobs.enqueueDue(clock.now());
        await state.jobs.maintain();
      } catch (error) {
        quietly('jobs could not be supervised')(error);
      }
      await sleep(ROUND_MS * (0.75 + Math.random() / 2), undefined, { ref: false, signal }).catch(() => {});
    }
  };

  const lanes = kinds.flatMap(kind => {
    const share = new AccountShare(kind.atOnce);
    return Array.from({ length: kind.atOnce }, () => lane(kind, share));
  });
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
