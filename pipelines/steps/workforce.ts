import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { groundTotal } from '../../datasets/place/ground-kind.ts';
import { threadFile } from '../../query/engine/file-checker.ts';
import type { Progress, Task } from '../progress.ts';
import type { CountyJob, LayerJob, LayerResult } from './layer-job.ts';
import { carryOut, type Job, type Result } from './layer-worker.ts';
import type { ArchiveJob, ArchiveResult } from './tiles/archive-job.ts';

/** What a job is called and how many rows are expected of it, where that is known. */
export function nameOf(job: LayerJob | CountyJob): readonly [name: string, expected: number | null] {
  if (!('layers' in job)) {
    const { dataset, layer, file, expectRows } = job.layer;
    return [`${dataset}:${layer} ${file}`, expectRows ?? null];
  }
  const { key, layers } = job;
  const what = layers.length === 1 ? layers[0]!.file : `${key}, ${layers.length} files`;
  const rows = layers.map(({ expectRows }) => expectRows ?? Number.NaN).reduce((sum, expected) => sum + expected, 0);
  return [`parcel_store:main ${what}`, Number.isNaN(rows) ? null : rows];
}

/** What came of a job, in words. */
export function summary({ counts, partitions }: LayerResult): string {
  const sum = (of: 'read' | 'written' | 'skipped' | 'rejected' | 'repaired') =>
    counts.reduce((all, count) => all + count[of], 0);
  const parts = [`${sum('read')} read`, `${sum('written')} written`];
  for (const what of ['skipped', 'rejected', 'repaired'] as const)
    if (sum(what) > 0) parts.push(`${sum(what)} ${what}`);
  const moved = counts.reduce((all, { ground }) => all + groundTotal(ground), 0);
  if (moved > 0) parts.push(`${moved} no parcels`);
  for (const { dissolvedTo } of counts) if (dissolvedTo !== null) parts.push(`dissolved to ${dissolvedTo}`);
  return `${parts.join(', ')}, ${partitions.length} partition(s)`;
}

/** What the step that draws the tiles of a map layer is called. */
export const drawingOf = (map: string): string => `map tiles of ${map}`;

function summaryOfTiles({ file, problem, drawn, large }: ArchiveResult): string {
  if (file === null) return `not drawn: ${problem}`;
  const few =
    large > 0 ? `, ${large} too large for deep zooms, which show ${large === 1 ? 'it' : 'them'} beside others` : '';
  return `${file.rows} tiles, ${drawn} looked at anew${few}`;
}

/**
 * Limits of a thread's heap. V8's own choice grows with the machine's memory: up to 192 MB of young objects, which rows that live for
 * a moment fill, and a heap of four times what lives in it. Below 2 GB it is twice: without the second limit an ingest of 200,000
 * parcels takes 1.2 times the memory. A thread that needs more than that limit fails.
 */
const HEAP = { maxYoungGenerationSizeMb: 96, maxOldGenerationSizeMb: 2000 };

const poolOf = (threads: number): Piscina =>
  new Piscina({
    ...threadFile('layer-worker', import.meta.url),
    minThreads: threads,
    maxThreads: threads,
    // geotiff's web-worker takes a thread without workerData for one of its own.
    workerData: {},
    resourceLimits: HEAP,
  });

/** Builds layers and the parcels of counties. */
export interface Builders {
  /**
   * Results in the order of the jobs.
   * @param built is called with each as soon as it is there.
   * @param spare asked when one fails; true: the others go on, and it has no result.
   * @throws what failed, when no other layer is being built any more; the reason of the signal.
   */
  build(
    jobs: readonly (LayerJob | CountyJob)[],
    progress: Progress,
    signal?: AbortSignal,
    built?: (result: LayerResult, index: number) => Promise<void>,
    spare?: (job: LayerJob | CountyJob, error: unknown) => boolean,
  ): Promise<LayerResult[]>;
  /** Ends what still goes on. */
  close(): Promise<void>;
}

/** Builds layers and draws tiles, at most `threads` at a time. The first failure stops the rest. */
export class Workforce implements Builders {
  readonly #threads: number;
  #pool: Piscina | null = null;

  /** @param threads 0 works in the calling thread, one job after the other. */
  constructor(threads: number) {
    this.#threads = threads;
  }

  /**
   * Builds layers and counties. Results in the order of the jobs.
   * @param built is called with each as soon as it is there, before the next job of that thread begins.
   * @param spare asked when one fails; true: the others go on, and it has no result.
   * @throws the first failure, after every other layer was stopped.
   */
  build(
    jobs: readonly (LayerJob | CountyJob)[],
    progress: Progress,
    signal?: AbortSignal,
    built: (result: LayerResult, index: number) => Promise<void> = async () => {},
    spare: (job: LayerJob | CountyJob, error: unknown) => boolean = () => false,
  ): Promise<LayerResult[]> {
    return this.#each(jobs, { name: nameOf, summary }, progress, signal, built, spare);
  }

  /** Draws map layers. Results in the order of the jobs. @throws as build. */
  draw(jobs: readonly ArchiveJob[], progress: Progress, signal?: AbortSignal): Promise<ArchiveResult[]> {
    const name = ({ map }: ArchiveJob) => [drawingOf(map), null] as const;
    return this.#each(jobs, { name, summary: summaryOfTiles }, progress, signal, async () => {});
  }

  async #each<J extends Job>(
    jobs: readonly J[],
    words: {
      readonly name: (job: J) => readonly [name: string, expected: number | null];
      readonly summary: (result: Result<J>) => string;
    },
    progress: Progress,
    signal: AbortSignal | undefined,
    done: (result: Result<J>, index: number) => Promise<void>,
    spare: (job: J, error: unknown) => boolean = () => false,
  ): Promise<Result<J>[]> {
    const failure = new AbortController();
    const stop = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
    const results: Result<J>[] = new Array(jobs.length);
    const queue = jobs.entries();
    progress.expect(jobs.length);
    const work = async () => {
      for (const [i, job] of queue) {
        if (stop.aborted) return;
        const task = progress.start(...words.name(job));
        try {
          results[i] = await (this.#threads > 0
            ? this.#inThread(job, task, stop)
            : carryOut(job, rows => task.advance(rows), stop));
          await done(results[i]!, i);
          task.done(words.summary(results[i]!));
        } catch (error) {
          if (stop.aborted || !spare(job, error)) failure.abort(error);
          else task.done(`failed: ${(error as Error).message.split('\n', 1)[0]}`);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.max(1, this.#threads) }, work));
    stop.throwIfAborted();
    return results;
  }

  /** The thread is asked to stop, not ended: ending it inside a database call would hang. */
  async #inThread<J extends Job>(job: J, task: Task, signal: AbortSignal): Promise<Result<J>> {
    this.#pool ??= poolOf(this.#threads);
    const { port1, port2 } = new MessageChannel();
    const stop = () => port1.postMessage('stop');
    signal.addEventListener('abort', stop, { once: true });
    port1.on('message', (rows: number) => task.advance(rows));
    try {
      return await this.#pool.run({ job, port: port2 }, { transferList: [port2] });
    } finally {
      signal.removeEventListener('abort', stop);
      port1.close();
    }
  }

  /** Ends the threads. A later job starts new ones. */
  async close(): Promise<void> {
    await this.#pool?.destroy();
    this.#pool = null;
  }
}
