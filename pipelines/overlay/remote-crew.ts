import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, ReleaseFile } from '../../datasets/release.ts';
import { inlined } from '../../query/release/lists/sharded-manifest.ts';
import { manifestText } from '../../query/release/manifest.ts';
import { download } from '../../query/release/store/download.ts';
import { AT_ONCE, sideBySide } from '../../query/release/store/side-by-side.ts';
import { manifestKey } from '../../query/release/store/store-entry.ts';
import { upload } from '../release/push/upload.ts';
import { TasksFailed } from '../tasks/awaited-tasks.ts';
import { Errands, InTurn } from '../tasks/errands.ts';
import type { Machines } from '../tasks/machines.ts';
import { type Task, type TaskFile, taskKey, workKey } from '../tasks/task.ts';
import type { TaskQueue } from '../tasks/task-queue.ts';
import type { BlockWork } from './block.ts';
import { isWhole } from './block-file.ts';
import type { ParcelPlan } from './plan.ts';
import { RANGE_BLOCKS, RANGE_STEP, type RangeData, type RangePlan } from './range.ts';
import type { OverlayResult, OverlayTask } from './task.ts';

interface Job extends Machines {
  /** Folder of the manifests. */
  readonly releases: string;
  readonly manifest: Manifest;
  readonly plans: readonly ParcelPlan[];
  /** Does all but the blocks, in this process. */
  readonly own: TaskQueue<OverlayTask, OverlayResult>;
  readonly signal?: AbortSignal | undefined;
}

type BlockTask = Extract<OverlayTask, { kind: 'block' }>;

interface Range<Some extends BlockTask> {
  readonly task: Task;
  readonly blocks: readonly Some[];
}

const isBlock = (task: OverlayTask): task is BlockTask => task.kind === 'block';

/** Has the blocks computed by workers on other machines, in ranges, and brings them home. */
export class RemoteCrew implements TaskQueue<OverlayTask, OverlayResult> {
  /** All partitions at once, so that workers always find something to do. */
  readonly atOnce = Number.POSITIVE_INFINITY;
  readonly #job: Job;
  readonly #errands: Errands;
  /** Uploads by SHA-256: partitions share files. */
  readonly #uploads = new Map<string, Promise<boolean>>();
  #manifest: Promise<string> | null = null;
  /** One after the other, because each uses as many connections as are good. */
  readonly #departures = new InTurn();

  constructor(job: Job) {
    this.#job = job;
    this.#errands = new Errands(job, job.signal);
  }

  async run<Some extends OverlayTask>(
    tasks: readonly Some[],
    done: (task: Some, result: OverlayResult) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const blocks = tasks.filter(isBlock) as (Some & BlockTask)[];
    const others = tasks.filter(task => !isBlock(task));
    if (blocks.length) await this.#ranges(blocks, done);
    if (others.length) await this.#job.own.run(others, done, signal);
  }

  close(): Promise<void> {
    return this.#job.own.close();
  }

  /** @param blocks of one partition, in order. */
  async #ranges<Some extends BlockTask>(blocks: readonly Some[], done: (task: Some, result: OverlayResult) => void) {
    const ranges = await this.#departures.next(() => this.#enqueued(blocks));
    const failures: string[] = [];
    await Promise.all(
      ranges.map(async ({ task, blocks }) => {
        const problem = await this.#brought(task, blocks, done);
        if (problem !== null) failures.push(`${task.name}: ${problem}`);
      }),
    );
    if (failures.length) throw new TasksFailed(failures.sort(), ranges.length);
  }

  /** Enqueues what is not in the ledger of the ranges of a partition. */
  async #enqueued<Some extends BlockTask>(blocks: readonly Some[]): Promise<Range<Some>[]> {
    const { plans, rangeBlocks = RANGE_BLOCKS } = this.#job;
    const { work } = blocks[0]!;
    const plan = plans.find(({ parcels }) => parcels === work.parcels)!;
    const ranges = await this.#planned(plan, work, grouped(blocks, rangeBlocks));
    await this.#errands.enqueue(ranges.map(({ task }) => task));
    return ranges;
  }

  /** Waits for a task and brings its blocks home. @returns null, or why there are none. */
  async #brought<Some extends BlockTask>(
    task: Task,
    blocks: readonly Some[],
    done: (task: Some, result: OverlayResult) => void,
  ): Promise<string | null> {
    const problem = await this.#errands.brought(task, async ({ files }) => {
      if (files.length !== blocks.length) throw new Error(`${files.length} blocks came, expected ${blocks.length}`);
      await sideBySide(blocks.entries(), AT_ONCE, async ([i, block]) => {
        if (!isWhole(block.path)) await this.#home(files[i]!, block.path);
      });
    });
    if (problem === null) for (const block of blocks) done(block, { missing: [] });
    return problem;
  }

  async #home({ sha256, bytes }: TaskFile, path: string): Promise<void> {
    await download(this.#job.store, { path: workKey(sha256), sha256, bytes }, path, this.#job.signal);
    if (isWhole(path)) return;
    rmSync(path, { force: true });
    throw new Error(`${path} is no whole block`);
  }

  /** Uploads what the tasks of a partition read, and describes them. */
  async #planned<Some extends BlockTask>(
    { parcels, file, reads }: ParcelPlan,
    { overlays, tables }: BlockWork,
    groups: readonly (readonly Some[])[],
  ): Promise<Range<Some>[]> {
    const { manifest } = this.#job;
    const files = new Map<string, ReleaseFile>();
    for (const { dataset } of overlays) for (const read of reads.get(dataset)!) files.set(read.sha256, read);
    await sideBySide(files.values(), AT_ONCE, read => this.#uploaded(read));
    this.#manifest ??= this.#manifestUploaded();
    const said: RangePlan = {
      release: manifest.id,
      manifestSha256: await this.#manifest,
      parcels: parcels.key,
      features: file.sha256,
      overlays,
      tables: [...tables],
      files: [...files.keys()].sort(),
    };
    const plan = await this.#work(Buffer.from(JSON.stringify(said)));
    return groups.map(blocks => {
      const first = blocks[0]!.work.first;
      const each = blocks[0]!.work.count;
      const count = blocks.reduce((sum, { work }) => sum + work.count, 0);
      const data: RangeData = { plan, first, count, each };
      const task = {
        key: taskKey(RANGE_STEP, [file.sha256, overlays, first, count, each]),
        step: RANGE_STEP,
        name: `overlay of ${parcels.key} from parcel ${first}`,
        // The partition that takes longest is begun first, because its files are made when all its ranges are there.
        weight: parcels.rows,
        data,
      };
      return { task, blocks };
    });
  }

  async #uploaded(file: ReleaseFile): Promise<void> {
    const { store, releases } = this.#job;
    let done = this.#uploads.get(file.sha256);
    if (!done) {
      done = upload(store, join(releases, file.path), file);
      this.#uploads.set(file.sha256, done);
    }
    await done;
  }

  /** @returns SHA-256 of the manifest in the store. */
  async #manifestUploaded(): Promise<string> {
    // A worker has none of its shards.
    const text = Buffer.from(manifestText(inlined(this.#job.manifest)));
    const sha256 = createHash('sha256').update(text).digest('hex');
    await this.#put(text, manifestKey(sha256), sha256);
    return sha256;
  }

  async #work(content: Buffer): Promise<TaskFile> {
    const sha256 = createHash('sha256').update(content).digest('hex');
    await this.#put(content, workKey(sha256), sha256);
    return { sha256, bytes: content.length };
  }

  async #put(content: Buffer, key: string, sha256: string): Promise<void> {
    const folder = join(this.#job.releases, 'tmp');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, sha256);
    writeFileSync(path, content);
    await upload(this.#job.store, path, { path: key, sha256, bytes: content.length });
    rmSync(path);
  }
}

/** Groups blocks into ranges: consecutive ones, so many at most. */
function grouped<Some extends BlockTask>(blocks: readonly Some[], most: number): Some[][] {
  const groups: Some[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    const before = last?.at(-1)?.work;
    if (last && before && last.length < most && before.first + before.count === block.work.first) last.push(block);
    else groups.push([block]);
  }
  return groups;
}
