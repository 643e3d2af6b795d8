import { Piscina } from 'piscina';
import { threadFile } from '../../query/engine/file-checker.ts';
import type { TaskQueue } from '../tasks/task-queue.ts';
import { type OverlayResult, type OverlaySetup, type OverlayTask, OverlayTasks } from './task.ts';
import type { WorkerSetup } from './worker.ts';

/** With 128 MB a thread took 110 MB more and no less time (0.93 to 1.08 times, all fields). V8's own choice may be 192 MB. */
const YOUNG_MB = 48;
/**
 * V8 lets a heap far below its limit grow several times over between two collections. So limited, two threads held 1.1 GB after
 * 8,192 of 200,000 parcels instead of 1.7, for 6 % more processor time. A thread that needs more than this fails; after a
 * collection its old objects took 0.12 GB.
 */
const oldMb = (memoryMb: number): number => 512 + 4 * memoryMb;

/** The threads that compute overlays. */
export class Crew implements TaskQueue<OverlayTask, OverlayResult> {
  /** Parcels of one partition share what their threads keep in memory. */
  readonly atOnce = 1;
  readonly #flag = new Int32Array(new SharedArrayBuffer(4));
  readonly #threads: number;
  readonly #own: OverlayTasks | null;
  readonly #pool: Piscina<OverlayTask, OverlayResult> | null;

  /** @param threads number of threads; 0: the calling thread does the work. */
  constructor(threads: number, setup: OverlaySetup) {
    this.#threads = Math.max(1, threads);
    this.#own = threads === 0 ? new OverlayTasks(setup) : null;
    const workerData: WorkerSetup = { ...setup, flag: this.#flag };
    this.#pool =
      threads === 0
        ? null
        : new Piscina({
            ...threadFile('worker', import.meta.url),
            minThreads: threads,
            maxThreads: threads,
            idleTimeout: Number.POSITIVE_INFINITY,
            workerData,
            resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: oldMb(setup.memoryMb) },
          });
  }

  /**
   * Carries out tasks in their order, one for each thread at a time.
   * @param done called with the result of each task.
   * @throws the first failure, or the reason of the signal, when no task runs any more.
   */
  async run<T extends OverlayTask>(
    tasks: readonly T[],
    done: (task: T, result: OverlayResult) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const queue = tasks.values();
    let failure: { readonly error: unknown } | null = null;
    const stop = () => Atomics.store(this.#flag, 0, 1);
    const stopped = () => Atomics.load(this.#flag, 0) !== 0;
    signal?.addEventListener('abort', stop, { once: true });
    const work = async () => {
      for (const task of queue) {
        if (failure || signal?.aborted) return;
        try {
          done(task, await (this.#pool ? this.#pool.run(task) : this.#own!.run(task, stopped)));
        } catch (error) {
          failure ??= { error };
          stop();
        }
      }
    };
    await Promise.all(Array.from({ length: this.#threads }, work));
    signal?.removeEventListener('abort', stop);
    signal?.throwIfAborted();
    const failed = failure as { readonly error: unknown } | null;
    if (failed) throw failed.error;
  }

  async close(): Promise<void> {
    this.#own?.close();
    await this.#pool?.destroy();
  }
}
