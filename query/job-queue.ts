import type { Piscina } from 'piscina';
import { EngineBusy } from './answer.ts';
import { SharedFlags } from './shared-flags.ts';
import type { TaskName, Tasks } from './task.ts';
import type { Ahead } from './together.ts';
import type { Outcome, WorkerTask } from './worker.ts';

type Result = Tasks[TaskName]['output'];

interface Job {
  readonly task: WorkerTask;
  at: 'queue' | 'worker' | 'end';
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
  readonly #waiting: Job[] = [];
  /** What workers have, by number of the task. */
  readonly #running = new Map<number, Job>();
  #tasks = 0;
  #busy = 0;
  #scheduled = false;
  #closed = false;

  /** @param size workers. @param queue requests that may wait for one. @param flags as `flagsFor` makes them. */
  constructor(workers: Workers, size: number, queue: number, flags: SharedFlags) {
    this.#workers = workers;
    this.#size = size;
    this.#queue = queue;
    this.#flags = flags;
    // Some answers go ahead of those that crossed together with them, and may arrive after them.
    workers.on('message', ({ id, outcome }: Ahead) => this.#end(id, outcome));
  }

  /** Whether no worker has anything to do. */
  get idle(): boolean {
    return this.#busy === 0;
  }

  /** Flags for what runs, answers that are on their way, what waits, and the one that is refused when too many wait. */
  static flagsFor(size: number, queue: number): SharedFlags {
    return new SharedFlags(2 * size * TOGETHER + queue + 1);
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
    const waiting = this.#waiting.length - (this.#size - this.#busy);
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
    if (this.#scheduled || this.#busy >= this.#size) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#busy < this.#size && this.#waiting.length) this.#run(this.#take());
  }

  /** The job that waits longest, and with it fetches of the same fields: as many as there are for each idle worker. */
  #take(): Job[] {
    const first = this.#waiting.shift()!;
    const jobs = [first];
    if (first.task.kind !== 'fetch') return jobs;
    const share = Math.ceil((this.#waiting.length + 1) / (this.#size - this.#busy));
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
    for (const job of jobs) {
      job.at = 'worker';
      this.#running.set(job.task.id, job);
    }
    this.#workers
      .run(jobs.map(job => job.task))
      .catch((error: Error): Outcome[] => jobs.map(() => ({ error: error.message })))
      .then(outcomes => {
        this.#busy--;
        // The worker goes on while callers are told.
        this.#dispatch();
        for (const [i, { task }] of jobs.entries()) if (outcomes[i]) this.#end(task.id, outcomes[i]);
      });
  }

  #end(id: number, outcome: Outcome): void {
    const job = this.#running.get(id);
    // A worker that died fails all that it had, also what it had answered.
    if (!job) return;
    this.#running.delete(id);
    job.at = 'end';
    this.#flags.giveBack(job.task.flag);
    job.done('error' in outcome ? job.failed(`the worker stopped: ${outcome.error}`) : outcome.output);
  }
}

const isAlike = (a: WorkerTask<'fetch'>, b: WorkerTask<'fetch'>): boolean =>
  a.release === b.release && a.input.names === b.input.names;
