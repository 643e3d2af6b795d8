import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { download } from '../../query/release/store/download.ts';
import { AT_ONCE, sideBySide } from '../../query/release/store/side-by-side.ts';
import { filesOfJob, targetOf } from '../ledger/job-key.ts';
import type { Progress } from '../progress.ts';
import { upload } from '../release/push/upload.ts';
import { filesOfRead } from '../steps/acquire.ts';
import { type CountyJob, LayerError, type LayerJob, type LayerResult } from '../steps/layer-job.ts';
import { type Builders, nameOf, summary } from '../steps/workforce.ts';
import { TasksFailed } from '../tasks/awaited-tasks.ts';
import { Errands, InTurn } from '../tasks/errands.ts';
import type { Machines } from '../tasks/machines.ts';
import { type Task, type TaskFile, type TaskOutput, taskKey, workKey } from '../tasks/task.ts';
import {
  beforePath,
  filesBefore,
  type InputFile,
  LAYER_STEP,
  type LayerTask,
  sourcePath,
  withoutFolders,
  withPaths,
} from './layer-task.ts';

const MIB = 2 ** 20;

interface RemoteOptions {
  readonly machines: Machines;
  /** SHA-256 of a file. */
  readonly hashOf: (path: string) => Promise<string>;
  readonly signal: AbortSignal | undefined;
}

type Job = LayerJob | CountyJob;

/** Has layers and the parcels of counties built by workers on other machines, and brings home what they staged. */
export class RemoteWorkforce implements Builders {
  readonly #machines: Machines;
  readonly #hashOf: RemoteOptions['hashOf'];
  readonly #closed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #errands: Errands;
  /** Uploads by SHA-256: jobs share files. */
  readonly #uploads = new Map<string, Promise<unknown>>();
  readonly #departures = new InTurn();

  constructor({ machines, hashOf, signal }: RemoteOptions) {
    this.#machines = machines;
    this.#hashOf = hashOf;
    this.#signal = AbortSignal.any([this.#closed.signal, ...(signal ? [signal] : [])]);
    this.#errands = new Errands(machines, this.#signal);
  }

  /** @throws LayerError, or TasksFailed where several fail, when all others have ended; the reason of the signal. */
  async build(
    jobs: readonly Job[],
    progress: Progress,
    _signal?: AbortSignal,
    built: (result: LayerResult, index: number) => Promise<void> = async () => {},
    spare: (job: Job, error: unknown) => boolean = () => false,
  ): Promise<LayerResult[]> {
    const results: LayerResult[] = new Array(jobs.length);
    const failures: unknown[] = [];
    progress.expect(jobs.length);
    await Promise.all(
      jobs.map(async (job, i) => {
        const shown = progress.start(...nameOf(job));
        try {
          const task = await this.#departures.next(() => this.#sent(job));
          results[i] = await this.#brought(task, job);
          await built(results[i]!, i);
          shown.done(summary(results[i]!));
        } catch (error) {
          if (!spare(job, error)) failures.push(error);
          shown.done(`failed: ${(error as Error).message.split('\n', 1)[0]}`);
        }
      }),
    );
    this.#signal.throwIfAborted();
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new TasksFailed(failures.map(error => (error as Error).message).sort(), jobs.length);
    return results;
  }

  /** Uploads what a job reads, and enqueues it. */
  async #sent(job: Job): Promise<Task> {
    this.#signal.throwIfAborted();
    const read: { readonly from: string; readonly path: string }[] = [];
    for (const file of filesOfJob(job))
      for (const from of await filesOfRead(join(job.sources, file)))
        read.push({ from, path: sourcePath(relative(job.sources, from)) });
    for (const from of filesBefore(job)) read.push({ from, path: beforePath(from) });
    const files: InputFile[] = [];
    for (const { from, path } of read)
      files.push({ path, sha256: await this.#hashOf(from), bytes: statSync(from).size });
    await sideBySide(files.entries(), AT_ONCE, async ([i, { sha256, bytes }]) => {
      if (bytes === 0) return;
      const content = { path: workKey(sha256), sha256, bytes };
      const upping = this.#uploads.get(sha256) ?? upload(this.#machines.store, read[i]!.from, content);
      this.#uploads.set(sha256, upping);
      await upping;
    });
    const data: LayerTask = { job: withoutFolders(job), files };
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const [name] = nameOf(job);
    const task: Task = {
      key: taskKey(LAYER_STEP, [targetOf(job), data]),
      step: LAYER_STEP,
      name: `${name} of ${job.place.name}`,
      // What reads most takes longest.
      weight: Math.ceil(bytes / MIB),
      data,
    };
    await this.#errands.enqueue([task]);
    return task;
  }

  /** Waits for a task and brings home what it staged. @throws LayerError where it was given up. */
  async #brought(task: Task, job: Job): Promise<LayerResult> {
    let result: LayerResult | null = null;
    const problem = await this.#errands.brought(task, async ({ files: [said, ...staged] }: TaskOutput) => {
      mkdirSync(job.folder, { recursive: true });
      const pathOf = (place: number | string) => join(job.folder, String(place));
      await this.#home(said!, pathOf('result.json'));
      await sideBySide(staged.entries(), AT_ONCE, ([i, file]) => this.#home(file, pathOf(i)));
      const sent = JSON.parse(readFileSync(pathOf('result.json'), 'utf8')) as LayerResult;
      result = withPaths(sent, place => {
        if (!staged[Number(place)]) throw new Error(`${said!.sha256} names a file that did not come: ${place}`);
        return pathOf(Number(place));
      });
    });
    if (problem !== null) throw new LayerError(`${task.name}: ${problem}`);
    return result!;
  }

  async #home({ sha256, bytes }: TaskFile, path: string): Promise<void> {
    if (bytes === 0) return writeFileSync(path, '');
    await download(this.#machines.store, { path: workKey(sha256), sha256, bytes }, path, this.#signal);
  }

  /** Waits for nothing more; workers go on with what they have. */
  async close(): Promise<void> {
    this.#closed.abort(new Error('the ingest has ended'));
  }
}
