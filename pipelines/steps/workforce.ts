import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Progress, Task } from '../progress.ts';
import type { CountyJob, LayerJob, LayerResult } from './layer-job.ts';
import { build } from './layer-worker.ts';

const worker = new URL(import.meta.url.endsWith('.ts') ? './layer-worker.ts' : './layer-worker.js', import.meta.url);

type Job = LayerJob | CountyJob;

/** What a job is called and how many rows are expected of it, where that is known. */
function nameOf(job: Job): readonly [name: string, expected: number | null] {
  if (!('layers' in job)) {
    const { dataset, layer, file, expectRows } = job.layer;
    return [`${dataset}:${layer} ${file}`, expectRows ?? null];
  }
  const { key, layers } = job;
  const what = layers.length === 1 ? layers[0]!.file : `${key}, ${layers.length} files`;
  const rows = layers.map(({ expectRows }) => expectRows ?? Number.NaN).reduce((sum, expected) => sum + expected, 0);
  return [`parcel_store:main ${what}`, Number.isNaN(rows) ? null : rows];
}

function summary({ counts, partitions }: LayerResult): string {
  const sum = (of: 'read' | 'written' | 'skipped' | 'rejected' | 'repaired') =>
    counts.reduce((all, count) => all + count[of], 0);
  const parts = [`${sum('read')} read`, `${sum('written')} written`];
  for (const of of ['skipped', 'rejected', 'repaired'] as const) if (sum(of) > 0) parts.push(`${sum(of)} ${of}`);
  for (const { dissolvedTo } of counts) if (dissolvedTo !== null) parts.push(`dissolved to ${dissolvedTo}`);
  return `${parts.join(', ')}, ${partitions.length} partition(s)`;
}

/** Builds layers, at most `threads` at a time. The first failure stops the rest. */
export class Workforce {
  readonly #threads: number;
  readonly #pool: Piscina | null;

  /** @param threads 0 builds in the calling thread, one layer after the other. */
  constructor(threads: number) {
    this.#threads = threads;
    this.#pool =
      threads === 0
        ? null
        : new Piscina({
            filename: fileURLToPath(worker),
            minThreads: threads,
            maxThreads: threads,
            // geotiff's web-worker takes a thread without workerData for one of its own.
            workerData: {},
            // From the sources, workers need the TypeScript loader too.
            execArgv: worker.pathname.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [],
          });
  }

  /**
   * Results in the order of the jobs.
   * @param built is called with each as soon as it is there, before the next job of that thread begins.
   * @throws the first failure, after every other layer was stopped.
   */
  async build(
    jobs: readonly Job[],
    progress: Progress,
    signal?: AbortSignal,
    built: (result: LayerResult, index: number) => Promise<void> = async () => {},
  ): Promise<LayerResult[]> {
    const failure = new AbortController();
    const stop = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
    const results: LayerResult[] = new Array(jobs.length);
    const queue = jobs.entries();
    progress.expect(jobs.length);
    const work = async () => {
      for (const [i, job] of queue) {
        if (stop.aborted) return;
        const task = progress.start(...nameOf(job));
        try {
          results[i] = await (this.#pool
            ? this.#inThread(job, task, stop)
            : build(job, rows => task.advance(rows), stop));
          await built(results[i]!, i);
          task.done(summary(results[i]!));
        } catch (error) {
          failure.abort(error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.max(1, this.#threads) }, work));
    stop.throwIfAborted();
    return results;
  }

  /** The thread is asked to stop, not ended: ending it inside a database call would hang. */
  async #inThread(job: Job, task: Task, signal: AbortSignal): Promise<LayerResult> {
    const { port1, port2 } = new MessageChannel();
    const stop = () => port1.postMessage('stop');
    signal.addEventListener('abort', stop, { once: true });
    port1.on('message', (rows: number) => task.advance(rows));
    try {
      return await this.#pool!.run({ job, port: port2 }, { transferList: [port2] });
    } finally {
      signal.removeEventListener('abort', stop);
      port1.close();
    }
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}
