import type { Callbacks } from '../callbacks.ts';
import type { Clock } from '../clock.ts';
import type { Services } from '../context.ts';
import type { Effect, NewJob } from '../state/jobs/queue.ts';

/**
 * A kind of jobs: work that outlives the request that asked for it. To add one:
 *
 * 1. A file that exports a `JobKind`, beside what it is about (`server/sites/screening-job.ts`), and its line in
 *    `server/job-kinds.ts`. Nothing else lists kinds.
 *
 *    ```ts
 *    export const countingJob: JobKind<{ list: string }> = {
 *      name: 'counting',
 *      summary: 'Counts a list.',
 *      atOnce: 1,
 *      attempts: 4,
 *      retryMs: 5_000,
 *      mostMs: 300_000,
 *      async run({ engine, clock }, { data, signal, progress }) {
 *        const count = await engine.count(data.list, { signal });   // computes in worker threads, never here
 *        await progress(1, 1);
 *        return listCounted(data.list, count, clock.now());         // an effect, see 2
 *      },
 *      ended: ({ data }, error) => listUncountable(data.list, error),
 *    };
 *    ```
 *
 * 2. What it changes in the state is an `Effect` that a concern of `server/state/` makes: it happens in the transaction
 *    that ends the job, so that a job that was killed, doubled, cancelled or overtaken has had its effect once or not at
 *    all. A handler itself changes nothing in the state. What it does elsewhere (a file, a call) must bear being repeated.
 *
 * 3. Whoever wants it done: `ctx.state.jobs.enqueue(jobOf(countingJob, key, data))`; within a transaction of a state
 *    concern `jobs.enqueueIn(tx, …)`. Of two jobs with one key only one waits or runs. To have it done regularly, give the
 *    kind a `cron`, or call `state.jobs.schedule(job, cron, now)` for one of many.
 *
 * A handler that throws is tried again later; one that throws `Hopeless` is not. A process that dies counts as an attempt
 * when its lease has ended. When there are no attempts left, or an operator cancels the job, `ended` says what that changes.
 */
export interface JobKind<D extends object = object> {
  /** kebab-case; the data of jobs that wait may be of an older version: a name is never given a new meaning. */
  readonly name: string;
  /** One line for operators. */
  readonly summary: string;
  /** How many a process does at once. */
  readonly atOnce: number;
  /** How often it may be begun; 1 for what must not be repeated. */
  readonly attempts: number;
  /** Milliseconds before the second attempt; doubled each time, with jitter, up to `mostMs`. */
  readonly retryMs: number;
  readonly mostMs: number;
  /** Five fields in UTC: enqueued then by whichever server is there, with no data. */
  readonly cron?: string;
  /** Does it. @returns what it changes in the state; nothing for work that changes nothing there. */
  run(services: JobServices, job: RunningJob<D>): Promise<Effect | undefined>;
  /** What changes in the state when it has failed for good or was cancelled. */
  ended?(job: { readonly id: string; readonly data: D }, ending: Ending, clock: Clock): Effect;
}

/** Why a job will not be done. */
export interface Ending {
  /** `died`: every process that began it. */
  readonly how: 'failed' | 'died' | 'cancelled';
  /** For operators; not for callers. */
  readonly error: string;
}

/** A job that runs. */
export interface RunningJob<D> {
  readonly id: string;
  readonly data: D;
  /** From 1. */
  readonly attempt: number;
  /** Aborts when the server stops, or the job was cancelled or taken over: what follows changes nothing. */
  readonly signal: AbortSignal;
  /** Says how far it is. */
  progress(done: number, total: number): Promise<void>;
}

/** What a job works with: what requests work with, and what else the server has. */
export interface JobServices extends Services {
  readonly callbacks: Callbacks;
  readonly log: { error(detail: object, message: string): void };
}

/** Trying again cannot help. */
export class Hopeless extends Error {
  override readonly name = 'Hopeless';
}

/** A job of a kind, for a queue. @param key see NewJob. */
export const jobOf = <D extends object>(kind: JobKind<D>, key: string | null, data: D): NewJob => ({
  kind: kind.name,
  key,
  data,
  attempts: kind.attempts,
  retryMs: kind.retryMs,
  mostMs: kind.mostMs,
});
