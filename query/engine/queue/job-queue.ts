import type { Piscina } from 'piscina';
import { EngineBusy, type RequestTerms, WorkerStopped } from '../engine-interface.ts';
import { SharedFlags } from '../shared-flags.ts';
import type { TaskName, Tasks } from '../tasks.ts';
import type { Outcome, WorkerTask } from '../worker-task.ts';
import { FairQueue } from './fair-queue.ts';
import { isShort, type Job, type Long, longOf } from './job.ts';
import { tracing } from './trace.ts';

/** What a caller says of one task. */
export interface Terms extends RequestTerms {
  readonly progress?: Int32Array | null;
}

/** What a task is carried out with, as of the moment it is requested. */
export type Standing = Pick<WorkerTask, 'release' | 'past' | 'judged'>;

/** The pool of workers as this queue uses it; without a task a worker is only woken. */
export type Workers = Pick<Piscina<WorkerTask | null, Outcome>, 'run' | 'close'>;

/** Grace after a deadline: a worker that has not answered by then is answered for. */
const GRACE_MS = 500;

/** Deliveries that a worker has at once: the one it works on, and two with which it begins without being woken. */
const DELIVERIES = 3;
/** Urgent deliveries that workers have beside those, for each. */
const URGENT = 2;
/** Whose requests are that are nobody's in particular. */
const NOBODY = '';
/**
 * Milliseconds that a request waits behind the one that its worker works on, before it is sent to another worker too. If urgent
 * ones wait, the slowest hundredth of fetches beside 400 full batches (`make bench-isolation`) takes 1.2 times as long.
 */
const STUCK_MS = 5;

/**
 * Milliseconds for which one worker is kept free of long searches once something short was requested: else all workers make
 * long ones. Without it the slowest hundredth of fetches beside areas of 10,000 vertices takes 2.3 times as long (two workers;
 * as many areas are answered with it).
 */
const KEPT_MS = 60_000;

/** What a caller that has gone away is rejected with. */
export const abortError = () => new DOMException('The request was aborted', 'AbortError');

/**
 * Requests on their way to the workers. The queue is kept here and not in the pool, which cannot hold a job back, send one past
 * the others or cancel one without ending its worker. With the pool's own queue throughput is the same, but the slowest hundredth
 * of fetches beside areas of 10,000 vertices takes 8.6 times as long (docs/performance.md).
 */
export class JobQueue {
  readonly #workers: Workers;
  readonly #size: number;
  readonly #queue: number;
  readonly #flags: SharedFlags;
  readonly #deliveries: number;
  readonly #waiting = new FairQueue<Job>();
  /** Deliveries that workers have, by owner. */
  readonly #sent = new Map<string, number>();
  /** Urgent ones and long ones among them. */
  #hurried = 0;
  readonly #long: Record<Long, number> = { search: 0, survey: 0 };
  /** When something short was requested last, of `performance.now()`. */
  #shortAt = Number.NEGATIVE_INFINITY;
  /** What workers have, by number of the task. */
  readonly #running = new Map<number, Job>();
  /** Requests that were stuck, to be sent to the next worker that takes one. */
  readonly #stuck: Job[] = [];
  #tasks = 0;
  /** Deliveries that workers have. */
  #busy = 0;
  #watch: NodeJS.Timeout | null = null;
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
  }

  /** Deliveries that each worker must take at once, where it is not said otherwise. */
  static readonly deliveries = DELIVERIES + URGENT;

  /** Whether no worker has anything to do. */
  get idle(): boolean {
    return this.#busy === 0;
  }

  /** Requests that wait for a worker. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Flags for what runs, answers that are on their way, what waits, and the one that is refused when too many wait. */
  static flagsFor(size: number, queue: number): SharedFlags {
    return new SharedFlags(2 * size * (DELIVERIES + URGENT) + queue + 2);
  }

  /**
   * Queues a task and answers for it when its time is up or its caller has gone.
   * @param instead what to say when the worker could not answer, or not in time.
   * @returns a promise that rejects with EngineBusy when too many wait, AbortError when the caller has gone,
   *   WorkerStopped when the worker ended that had begun with it, Error when closed.
   */
  submit<K extends TaskName>(
    kind: K,
    input: Tasks[K]['input'],
    standing: Standing,
    { deadline, signal, account = NOBODY, progress = null }: Terms,
    instead: (reason: string, late: boolean) => Tasks[K]['output'],
  ): Promise<Tasks[K]['output']> {
    if (signal?.aborted) return Promise.reject(abortError());
    if (this.#closed) return Promise.reject(new Error('The engine is closed'));
    // What was sent ahead waits too.
    const waiting = this.#waiting.size + this.#busy - this.#size;
    if (waiting >= this.#queue && !this.#makeRoom(account))
      return Promise.reject(new EngineBusy(`${Math.max(0, waiting)} requests wait already; try again shortly`));
    const flag = this.#flags.take();
    const task: WorkerTask = { kind, input, id: this.#tasks++, ...standing, deadline, flag, progress, urgent: false };
    const traced = tracing.getStore()?.task;
    const queuedAt = traced ? performance.now() : 0;
    return new Promise((resolve, reject) => {
      const end = () => {
        traced?.({ kind, queuedAt, sentAt: job.sentAt, endedAt: performance.now() });
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        // A worker that looks at the flag is told; it gives it back when it is done.
        if (job.at === 'worker') this.#flags.raise(task.flag);
        else if (job.at === 'queue') {
          this.#waiting.remove(job);
          job.at = 'end';
          this.#flags.giveBack(task.flag);
        }
      };
      const job: Job = {
        owner: account,
        urgent: false,
        task,
        at: 'queue',
        out: 0,
        sentAt: 0,
        again: false,
        refuse() {
          reject(new EngineBusy('others wait too and have waited for less; try again shortly'));
          end();
        },
        stopped(reason) {
          reject(new WorkerStopped(`the worker stopped: ${reason}`));
          end();
        },
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
      if (isShort(task)) this.#shortAt = performance.now();
      this.#waiting.push(job);
      this.#dispatch();
    });
  }

  /** Answers what waits and ends once what runs has ended. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (let job = this.#waiting.shift(); job; job = this.#waiting.shift()) {
      job.at = 'end';
      job.done(job.failed('the service is shutting down'));
    }
    // Running requests end by themselves: a thread must not be terminated inside a DuckDB query.
    await this.#workers.close();
  }

  /** Refuses what came last of the owner who has most waiting, where that is not the one who asks. */
  #makeRoom(account: string): boolean {
    const last = this.#waiting.crowding(account);
    if (!last) return false;
    last.refuse();
    return true;
  }

  #isFull(urgent: boolean): boolean {
    return urgent ? this.#hurried >= this.#size * URGENT : this.#busy >= this.#size * this.#deliveries;
  }

  #dispatch(): void {
    for (;;) {
      const urgent = this.#urgentNext();
      if (urgent) {
        urgent.urgent = true;
        this.#run(urgent);
        continue;
      }
      const [stuck] = this.#stuck;
      if (stuck && !this.#isFull(stuck.urgent)) {
        this.#stuck.shift();
        if (this.#isStuck(stuck)) this.#run(stuck);
        continue;
      }
      if (this.#isFull(false)) return;
      const next = this.#waiting.shiftWanted(job => this.#hasPlaceFor(job));
      if (!next) return;
      this.#run(next);
    }
  }

  /** Whether a job may be sent: two long ones at one worker would wait for each other while another one has none. */
  #hasPlaceFor({ task }: Job): boolean {
    const long = longOf(task);
    if (long === null) return true;
    const isKept = long === 'search' && performance.now() - this.#shortAt < KEPT_MS;
    return this.#long[long] < (isKept ? Math.max(1, this.#size - 1) : this.#size);
  }

  /** A short job of an owner of whom workers have nothing: it waits for no one but what runs this moment. */
  #urgentNext(): Job | null {
    if (this.#busy < this.#size || this.#waiting.size === 0 || this.#isFull(true)) return null;
    return this.#waiting.shiftWanted(({ task, owner }) => isShort(task) && !this.#sent.has(owner));
  }

  #run(job: Job): void {
    const { urgent, owner } = job;
    const long = longOf(job.task);
    if (long) this.#long[long]++;
    if (urgent) this.#hurried++;
    else this.#busy++;
    this.#sent.set(owner, (this.#sent.get(owner) ?? 0) + 1);
    // Each delivery has a number of its own: it tells which of them began.
    const task = job.sentAt === 0 && !urgent ? job.task : { ...job.task, urgent, id: this.#tasks++ };
    job.at = 'worker';
    job.out++;
    job.sentAt = performance.now();
    this.#running.set(task.id, job);
    if (this.#busy > this.#size) this.#watchStuck();
    this.#workers
      .run(task)
      .catch((error: Error): Outcome => ({ stopped: error.message }))
      .then(outcome => {
        if (urgent) this.#hurried--;
        else this.#busy--;
        if (long) this.#long[long]--;
        const left = this.#sent.get(owner)! - 1;
        if (left > 0) this.#sent.set(owner, left);
        else this.#sent.delete(owner);
        // The worker goes on while the caller is told.
        this.#dispatch();
        this.#end(task.id, outcome);
      });
  }

  #end(id: number, outcome: Outcome): void {
    const job = this.#running.get(id)!;
    this.#running.delete(id);
    job.out--;
    const { flag } = job.task;
    if ('stopped' in outcome) {
      const claimed = this.#flags.isClaimedBy(flag, id);
      if (!claimed && this.#sendAgain(job)) return;
      if (claimed || job.out === 0) job.stopped(outcome.stopped);
    } else if ('error' in outcome) job.done(job.failed(`the worker could not answer: ${outcome.error}`));
    else if ('output' in outcome) job.done(outcome.output);
    if (job.out > 0) return;
    job.at = 'end';
    this.#flags.giveBack(flag);
  }

  /** Lets a job wait for another worker whose worker died before it began with it; once, lest it be what kills them. */
  #sendAgain(job: Job): boolean {
    if (job.out > 0 || job.again || this.#closed || !this.#flags.isUntouched(job.task.flag)) return false;
    job.again = true;
    job.urgent = false;
    job.at = 'queue';
    this.#waiting.unshift(job);
    this.#dispatch();
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
