import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { buildLayer } from './layer.ts';
import type { LayerJob, LayerResult } from './layer-job.ts';
import type { Progress, Task } from './progress.ts';

const worker = new URL(import.meta.url.endsWith('.ts') ? './layer-worker.ts' : './layer-worker.js', import.meta.url);

function summary({ count, partitions }: LayerResult): string {
  const parts = [`${count.read} read`, `${count.written} written`];
  if (count.skipped > 0) parts.push(`${count.skipped} skipped`);
  if (count.rejected > 0) parts.push(`${count.rejected} rejected`);
  if (count.repaired > 0) parts.push(`${count.repaired} repaired`);
  if (count.dissolvedTo !== null) parts.push(`dissolved to ${count.dissolvedTo}`);
  return `${parts.join(', ')}, ${partitions.length} partition(s)`;
}

/** Builds layers, at most `threads` at a time. The first failure stops the rest. */
export class Workforce {
  readonly #pool: Piscina | null;

  /** @param threads 0 builds in the calling thread, one layer after the other. */
  constructor(threads: number) {
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

  /** Results in the order of the jobs. @throws the first failure, after every other layer was stopped. */
  async build(jobs: readonly LayerJob[], progress: Progress, signal?: AbortSignal): Promise<LayerResult[]> {
    const failure = new AbortController();
    const stop = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
    const one = async (job: LayerJob): Promise<LayerResult> => {
      stop.throwIfAborted();
      const task = progress.start(
        `${job.layer.dataset}:${job.layer.layer} ${job.layer.file}`,
        job.layer.expectRows ?? null,
      );
      try {
        const result = await (this.#pool
          ? this.#inThread(job, task, stop)
          : buildLayer(job, r => task.advance(r), stop));
        task.done(summary(result));
        return result;
      } catch (error) {
        failure.abort(error);
        throw error;
      }
    };
    if (this.#pool) {
      const settled = await Promise.allSettled(jobs.map(one));
      if (failure.signal.aborted) throw failure.signal.reason;
      return settled.map(s => {
        if (s.status === 'rejected') throw s.reason;
        return s.value;
      });
    }
    const results: LayerResult[] = [];
    for (const job of jobs) results.push(await one(job));
    return results;
  }

  async #inThread(job: LayerJob, task: Task, signal: AbortSignal): Promise<LayerResult> {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (rows: number) => task.advance(rows));
    try {
      return await this.#pool!.run({ job, port: port2 }, { transferList: [port2], signal });
    } finally {
      port1.close();
    }
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}
