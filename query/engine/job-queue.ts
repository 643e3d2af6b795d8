import type { Piscina } from 'piscina';
import { EngineBusy } from './engine-interface.ts';
import { SharedFlags } from './shared-flags.ts';
import type { Ahead } from './side-by-side.ts';
import type { TaskName, Tasks } from './tasks.ts';
import type { Outcome, WorkerTask } from './worker-task.ts';

type Result = Tasks[TaskName]['output'];

interface Job {
  readonly task: WorkerTask;
  at: 'queue' | 'worker' | 'end';
  /** Tasks of it that workers have: more than one where the first one waited behind another request for too long. */
  out: number;
  /** When the last of them was sent, of `performance.now()`. */
  sentAt: number;
  /** Whether a worker died before it began with it. */
  again: boolean;
  /** Gets null when the caller went away meanwhile. */
  readonly done: (result: Result | null) => void;
  /** What the caller is told when the worker could not answer. */
  readonly failed: (reason: string) => Result;
}

/** What a caller says of one task. */
export interface Terms {
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Int32Array | null;
}

/** What a task is to be carried out with, as of the moment it is asked. */
export type Standing = Pick<WorkerTask, 'release' | 'judged'>;

/** The pool of workers as this queue uses it. */
export type Workers = Pick<Piscina<readonly WorkerTask[], readonly (Outcome | null)[]>, 'run' | 'close' | 'on'>;

/** Grace after a deadline: a worker that has not answered by then is answered for. */
const GRACE_MS = 500;
/** Fetches that cross between threads at once, at most: each of them waits for all. */
const TOGETHER = 4;

/** Deliveries that a worker has at once: the one it works on, and two with which it begins without being woken. */
const DELIVERIES = 3;
/** Milliseconds that a request waits behind the one that its worker works on, before it is sent to another worker too. */
const STUCK_MS = 5;

/** What a caller gets who has gone away. */
export const abortError = () => new DOMException('The request was aborted', 'AbortError');

/**
 * Requests on their way to the workers. The queue is kept here and not in the pool: a job that waits can be dropped
 * without touching a worker, which the pool would otherwise terminate.
 */
export class JobQueue {
  readonly #workers: Workers;
  readonly #size: number;
  readonly #queue: number;
  readonly #flags: SharedFlags;
  readonly #deliveries: number;
  readonly #waiting: Job[] = [];
  /** What workers have, by number of the task. */
  readonly #running = new Map<number, Job>();
  /** Requests that were stuck, to be sent to the next worker that takes one. */
  readonly #stuck: Job[] = [];
  #tasks = 0;
  /** Deliveries that workers have. */
  #busy = 0;
  #watch: NodeJS.Timeout | null = null;
  #scheduled = false;
  #closed = false;

  /**
   * @param size workers. @param queue requests that may wait for one. @param flags as `flagsFor` makes them.
   * @param deliveries that each worker has at once, at most.
   */
  constructor(workers: Workers, size: number, queue: number, flags: SharedFlags, deliveries = DELIVERIES) {
    this.#deliveries = deliveries;
    this.#workers = workers;
    this.#size = size;
    this.#queue = queue;
    this.#flags = flags;
    // Some answers go ahead of those that crossed together with them, and may arrive after them.
    workers.on('message', ({ id, outcome }: Ahead) => this.#end(id, outcome));
  }

  /** Deliveries that each worker must take at once, where it is not said otherwise. */
  static readonly deliveries = DELIVERIES;

  /** Whether no worker has anything to do. */
  get idle(): boolean {
    return this.#busy === 0;
  }

  /** Requests that wait for a worker. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Flags for what runs, answers that are on their way, what waits, and the one that is refused when too many wait. */
  static flagsFor(size: number, queue: number): SharedFlags {
    return new SharedFlags(2 * size * DELIVERIES * TOGETHER + queue + 1);
  }

  /**
   * Queues a task and answers for it when its time is up or its caller has gone.
   * @param instead what to say when the worker could not answer, or not in time.
   * @returns a promise that rejects with EngineBusy when too many wait, AbortError when the caller has gone, Error when closed.
   */
  submit<K extends TaskName>(
    kind: K,
    input: Tasks[K]['input'],
    standing: Standing,
    { deadline, signal, progress = null }: Terms,
    instead: (reason: string, late: boolean) => Tasks[K]['output'],
  ): Promise<Tasks[K]['output']> {
    if (signal?.aborted) return Promise.reject(abortError());
    if (this.#closed) return Promise.reject(new Error('The engine is closed'));
    // What was sent ahead waits too.
    const waiting = this.#waiting.length + this.#busy - this.#size;
    if (waiting >= this.#queue)
      return Promise.reject(new EngineBusy(`${Math.max(0, waiting)} requests wait already; try again shortly`));
    const flag = this.#flags.take();
    const task: WorkerTask = { kind, input, id: this.#tasks++, ...standing, deadline, flag, progress };
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        // A worker that looks at the flag is told; it gives it back when it is done.
        if (job.at === 'worker') this.#flags.raise(task.flag);
        else if (job.at === 'queue') {
          const index = this.#waiting.indexOf(job);
          if (index >= 0) this.#waiting.splice(index, 1);
          job.at = 'end';
          this.#flags.giveBack(task.flag);
        }
      };
      const job: Job = {
        task,
        at: 'queue',
        out: 0,
        sentAt: 0,
        again: false,
        failed: reason => instead(reason, false),
        done(result) {
          if (result) resolve(result);
          else reject(abortError());
          end();
        },
      };
      const abort = () => {
        reject(abortError());
        end();
      };
      const timer = setTimeout(
        () => {
          resolve(instead('the time for this request was up', true));
          end();
        },
        Math.max(0, deadline - Date.now()) + GRACE_MS,
      );
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.push(job);
      if (kind === 'fetch') this.#schedule();
      else this.#dispatch();
    });
  }

  /** Answers what waits and ends once what runs has ended. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const job of this.#waiting.splice(0)) {
      job.at = 'end';
      job.done(job.failed('the service is shutting down'));
    }
    // Running requests end by themselves: a thread must not be terminated inside a DuckDB query.
    await this.#workers.close();
  }

  /** Hands jobs out once all requests of this turn of the event loop are there: only then is it known which may go together. */
  #schedule(): void {
    if (this.#scheduled || this.#isFull) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#dispatch();
    });
  }

  get #isFull(): boolean {
    return this.#busy >= this.#size * this.#deliveries;
  }

  #dispatch(): void {
    while (!this.#isFull) {
      const stuck = this.#stuck.shift();
      if (stuck) {
        if (this.#isStuck(stuck)) this.#run([stuck]);
      } else if (this.#waiting.length) this.#run(this.#take());
      else return;
    }
  }

  /** The job that waits longest, and with it fetches of the same fields: as many as there are for each idle worker. */
  #take(): Job[] {
    const first = this.#waiting.shift()!;
    const jobs = [first];
    if (first.task.kind !== 'fetch') return jobs;
    const idle = this.#size - this.#busy;
    const share = Math.ceil(
      (this.#waiting.length + 1) / (idle > 0 ? idle : this.#size * this.#deliveries - this.#busy),
    );
    for (const most = Math.min(TOGETHER, share); jobs.length < most; ) {
      const next = this.#waiting[0]!;
      if (next.task.kind !== 'fetch' || !isAlike(first.task as WorkerTask<'fetch'>, next.task as WorkerTask<'fetch'>))
        break;
      jobs.push(this.#waiting.shift()!);
    }
    return jobs;
  }

  #run(jobs: readonly Job[]): void {
    this.#busy++;
    const tasks = jobs.map(job => {
      // Each delivery has a number of its own: it tells which of them began.
      const task = job.sentAt === 0 ? job.task : { ...job.task, id: this.#tasks++ };
      job.at = 'worker';
      job.out++;
      job.sentAt = performance.now();
      this.#running.set(task.id, job);
      return task;
    });
    if (this.#busy > this.#size) this.#watchStuck();
    this.#workers
      .run(tasks)
      .catch((error: Error): Outcome[] => jobs.map(() => ({ error: error.message })))
      .then(outcomes => {
        this.#busy--;
        // The worker goes on while callers are told.
        this.#dispatch();
        for (const [i, { id }] of tasks.entries()) if (outcomes[i]) this.#end(id, outcomes[i]);
      });
  }

  #end(id: number, outcome: Outcome): void {
    const job = this.#running.get(id);
    // A worker that died fails all that it had, also what it had answered.
    if (!job) return;
    this.#running.delete(id);
    job.out--;
    const { flag } = job.task;
    if ('error' in outcome && !this.#flags.isClaimedBy(flag, id)) {
      if (this.#sendAgain(job)) return;
      if (job.out === 0) job.done(job.failed(`the worker stopped: ${outcome.error}`));
    } else if ('error' in outcome) job.done(job.failed(`the worker stopped: ${outcome.error}`));
    else if ('output' in outcome) job.done(outcome.output);
    if (job.out > 0) return;
    job.at = 'end';
    this.#flags.giveBack(flag);
  }

  /** Lets a job wait for another worker whose worker died before it began with it; once, lest it be what kills them. */
  #sendAgain(job: Job): boolean {
    if (job.out > 0 || job.again || this.#closed || !this.#flags.isUntouched(job.task.flag)) return false;
    job.again = true;
    job.at = 'queue';
    this.#waiting.unshift(job);
    this.#schedule();
    return true;
  }

  /** Looks every STUCK_MS, while anything was sent ahead, for what waits behind a request that takes longer. */
  #watchStuck(): void {
    this.#watch ??= setTimeout(() => {
      this.#watch = null;
      const long = performance.now() - STUCK_MS;
      const jobs = new Set(this.#running.values());
      for (const job of jobs)
        if (job.sentAt <= long && this.#isStuck(job) && !this.#stuck.includes(job)) this.#stuck.push(job);
      this.#dispatch();
      if (this.#busy > this.#size) this.#watchStuck();
    }, STUCK_MS).unref();
  }

  /** Whether one worker alone has a job, and has not begun with it. */
  #isStuck(job: Job): boolean {
    return job.at === 'worker' && job.out === 1 && this.#flags.isUntouched(job.task.flag);
  }
}

const isAlike = (a: WorkerTask<'fetch'>, b: WorkerTask<'fetch'>): boolean =>
  a.release === b.release && a.input.names === b.input.names;
