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

  /** Results in the order of the jobs. @throws the first failure, after every other layer was stopped. */
  async build(jobs: readonly LayerJob[], progress: Progress, signal?: AbortSignal): Promise<LayerResult[]> {
    const failure = new AbortController();
    const stop = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
    const results: LayerResult[] = new Array(jobs.length);
    const queue = jobs.entries();
    const work = async () => {
      for (const [i, job] of queue) {
        if (stop.aborted) return;
        const { layer } = job;
        const task = progress.start(`${layer.dataset}:${layer.layer} ${layer.file}`, layer.expectRows ?? null);
        try {
          results[i] = await (this.#pool
            ? this.#inThread(job, task, stop)
            : buildLayer(job, rows => task.advance(rows), stop));
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
  async #inThread(job: LayerJob, task: Task, signal: AbortSignal): Promise<LayerResult> {
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
