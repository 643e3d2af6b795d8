import type { Callbacks } from '../callbacks.ts';
import type { Clock } from '../clock.ts';
import type { Services } from '../context.ts';
import type { Effect, NewJob } from '../state/jobs/queue.ts';
import { traceHeaders } from '../trace/traceparent.ts';
import type { Tracer } from '../trace/tracer.ts';

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
 *      atOnce: 2,
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
 * 2. What it changes in the state is an `Effect`, made by a file of `server/state/`. The effect happens in the
 *    transaction that ends the job: a job that was killed, run twice, cancelled or taken over has had its effect once
 *    or not at all.
 *    A handler itself changes nothing in the state. What it does elsewhere (a file, a call) must be safe to repeat.
 *
 * 3. To enqueue a job, call `ctx.state.jobs.enqueue(jobOf(countingJob, key, data, account))`, or `jobs.enqueueIn(tx, …)`
 *    in a transaction of the state. Of two jobs with one key only one waits or runs. Accounts have their turns one after
 *    the other, so name the account that the work is for. To run it regularly, give the kind a `cron`, or call
 *    `state.jobs.schedule(job, cron, now)` for a single job.
 *
 * When a handler throws, the job is tried again later, except after `Hopeless`. A process that dies counts as an
 * attempt when its lease has ended. When no attempts are left, or an operator cancels the job, `ended` makes the final
 * change.
 */
export interface JobKind<D extends object = object> {
  /** In kebab-case. Waiting jobs may hold data of an older version, so never give a name a new meaning. */
  readonly name: string;
  /** One line for operators. */
  readonly summary: string;
  /** How many one process runs at once; of one account one fewer, but at least one, so that others need not wait. */
  readonly atOnce: number;
  /** Most attempts; 1 for work that must not be repeated. */
  readonly attempts: number;
  /** Milliseconds before the second attempt; doubled each time, with jitter, up to `mostMs`. */
  readonly retryMs: number;
  readonly mostMs: number;
  /** Five fields in UTC. One of the servers enqueues the job then, without data. */
  readonly cron?: string;
  /** Does the work. @returns the change of the state; nothing when there is none. */
  run(services: JobServices, job: RunningJob<D>): Promise<Effect | undefined>;
  /** The change of the state when the job has failed for good or was cancelled. */
  ended?(job: { readonly id: string; readonly data: D }, ending: Ending, clock: Clock): Effect;
}

/** Why a job will not be done. */
export interface Ending {
  /** `died`: every process that started it died. */
  readonly how: 'failed' | 'died' | 'cancelled';
  /** For operators, not for callers. */
  readonly error: string;
}

/** A job that runs. */
export interface RunningJob<D> {
  readonly id: string;
  readonly data: D;
  /** From 1. */
  readonly attempt: number;
  /** Aborts when the server stops, or when the job was cancelled or taken over. Later results change nothing. */
  readonly signal: AbortSignal;
  /** Reports progress. */
  progress(done: number, total: number): Promise<void>;
}

/** What a job can use: the services of requests, and the others of the server. */
export interface JobServices extends Services {
  readonly callbacks: Callbacks;
  readonly log: { error(detail: object, message: string): void };
  readonly tracer?: Tracer;
}

/** Thrown by a job when another attempt cannot help. */
export class Hopeless extends Error {
  override readonly name = 'Hopeless';
}

/** Makes a job of a kind for the queue; its data name the trace of the request that asks for it, where there is one. @param key see NewJob. @param account whose it is; null for nobody's. */
export const jobOf = <D extends object>(
  kind: JobKind<D>,
  key: string | null,
  data: D,
  account: string | null,
): NewJob => ({
  kind: kind.name,
  key,
  account,
  data: { ...data, ...traceHeaders() },
  attempts: kind.attempts,
  retryMs: kind.retryMs,
  mostMs: kind.mostMs,
});
