import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOverlay } from '../../../pipelines/overlay/run.ts';
import { taskKey } from '../../../pipelines/tasks/task.ts';
import { TaskBoard } from '../../../pipelines/tasks/task-board.ts';
import { currentId } from '../../../query/release/home/releases.ts';
import { manifestText } from '../../../query/release/manifest.ts';
import { FolderStore } from '../../../query/release/store/folder-store.ts';
import type { ObjectStore } from '../../../query/release/store/object-store.ts';
import { S3Store } from '../../../query/release/store/s3-store.ts';
import { type Fault, useS3Double } from '../../query/release/store/s3-double.ts';
import { type Cluster, startPostgres } from '../../server/state/postgres.ts';
import { seededDelays } from '../killing.ts';
import { SILENT } from '../silent.ts';
import { bareHome, manifestOf, NOW } from './bare-home.ts';
import { cable, type Line, lossyLine } from './cut-line.ts';
import { askOf, startProgram, startWorker, type WorkerProcess } from './worker-process.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-workers-long-'));
const quiet = () => {};
const double = useS3Double();
const common = { threads: 0, memoryMb: 256, progress: SILENT, now: NOW };
/** Least tasks between two kills. */
const TASKS_A_KILL = 5;
const ACTIVE = `select id from plat_ingest_tasks.job where state = 'active'`;
let cluster: Cluster;
let url: string;
/** A home without overlays, and what one process makes of it. */
let bare: string;
let expected: string;
let count = 0;

/** Coordinates an overlay of a copy of the home. */
async function coordinate(store: ObjectStore, blockParcels: number) {
  const home = join(work, `home-${count++}`);
  cpSync(bare, home, { recursive: true });
  const board = await TaskBoard.open(url, quiet);
  const machines = { board, store, rangeBlocks: 1 };
  const report = runOverlay({ ...common, home, blockParcels, machines }).finally(() => board.close());
  report.catch(quiet);
  return { home, report };
}

const workerOf = (store: string, queue = url, env: Readonly<Record<string, string>> = {}) =>
  startWorker(join(work, `worker-${count++}`), queue, store, env);

/** Waits until something is so, or the ingest has ended. */
async function until(what: () => Promise<boolean> | boolean, report: Promise<unknown> = new Promise(quiet)) {
  while (!(await what())) await Promise.race([pause(50), report]);
}

const isTaken = async () => (await askOf(url, ACTIVE)).length > 0;

describe('workers', { tags: ['PostgreSQL'] }, () => {
  beforeAll(async () => {
    cluster = await startPostgres();
    bare = await bareHome(join(work, 'bare'), 3_840);
    const alone = join(work, 'alone');
    cpSync(bare, alone, { recursive: true });
    await runOverlay({ ...common, home: alone });
    expected = manifestText(manifestOf(alone));
  }, 600_000);
  afterAll(async () => {
    await cluster.stop();
    rmSync(work, { recursive: true, force: true });
  });

  it('of which one is killed (signal 9) every one to two seconds make the same release', async () => {
    url = await cluster.database();
    const store = join(work, 'killed');
    const { home, report } = await coordinate(new FolderStore(store), 32);
    const homes = Array.from({ length: 3 }, (_, i) => join(work, `killed-${i}`));
    const workers: WorkerProcess[] = homes.map(home => startWorker(home, url, store));
    let over = false;
    report.then(
      () => (over = true),
      () => (over = true),
    );
    let kills = 0;
    let doneAtKill = 0;
    const countDone = async () => (await askOf(url, 'select key from plat_ingest.output')).length;
    for (const delay of seededDelays(33, 10_000)) {
      await Promise.race([pause(750 + delay), report.catch(quiet)]);
      // On a slow machine workers take longer than that to begin, and then none would ever end a task.
      await until(async () => over || (await countDone()) >= doneAtKill + TASKS_A_KILL);
      if (over) break;
      doneAtKill = await countDone();
      const i = delay % workers.length;
      await workers[i]!.end('SIGKILL');
      kills++;
      workers[i] = startWorker(homes[i]!, url, store);
    }
    await report;
    for (const worker of workers) await worker.end();
    expect(manifestText(manifestOf(home))).toBe(expected);
    const rows = await askOf<{ attempt: number; took_ms: string }>(
      url,
      'select attempt, took_ms from plat_ingest.output',
    );
    const again = rows.filter(({ attempt }) => attempt > 1).length;
    console.log(`${rows.length} tasks, ${kills} kills, ${again} tasks begun again`);
    expect(rows.length).toBeGreaterThanOrEqual(120);
    expect(kills).toBeGreaterThan(10);
    expect(again).toBeGreaterThan(0);
    expect(await askOf(url, 'select * from plat_ingest.failure')).toEqual([]);
  }, 3_600_000);

  it('that were suspended for longer than the lease are fenced off', async () => {
    url = await cluster.database();
    const store = join(work, 'suspended');
    const { home, report } = await coordinate(new FolderStore(store), 512);
    const late = workerOf(store);
    await until(isTaken, report);
    late.child.kill('SIGSTOP');
    const other = workerOf(store);
    await report;
    late.child.kill('SIGCONT');
    await until(() => late.told().includes('fenced'));
    await Promise.all([late.end(), other.end()]);
    expect(manifestText(manifestOf(home))).toBe(expected);
  }, 1_200_000);

  /** Cuts a worker off while it computes, until another one has done what there was to do. */
  async function cutOff(lineTo: (url: string) => Promise<Line>): Promise<void> {
    url = await cluster.database();
    const line = await lineTo(url);
    const store = join(work, `cut-off-${count++}`);
    const { home, report } = await coordinate(new FolderStore(store), 512);
    const late = startWorker(join(work, `worker-${count++}`), line.url, store, {}, 1, line.within);
    await until(isTaken, report);
    line.cut();
    const other = workerOf(store);
    await report;
    line.mend();
    await until(() => late.told().includes('fenced'));
    await Promise.all([late.end(), other.end()]);
    await line.close();
    expect(manifestText(manifestOf(home))).toBe(expected);
  }

  it(
    'whose bytes to the database were lost for longer than the lease are fenced off',
    () => cutOff(lossyLine),
    1_200_000,
  );

  it(
    'whose cable to the database was pulled for longer than the lease are fenced off',
    { tags: ['networks'], timeout: 1_200_000 },
    () => cutOff(cable),
  );

  it('whose uploads fail at bytes of a list, or are refused or spoilt, publish nothing wrong', async () => {
    url = await cluster.database();
    const address = 's3://bucket/uploads';
    let state = 33;
    const next = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const kinds: (() => Fault)[] = [() => ({ cut: next(60_000) }), () => 503, () => 'wrong', () => 'late-reset'];
    const { home, report } = await coordinate(new S3Store(address), 512);
    await until(async () => (await askOf(url, 'select id from plat_ingest_tasks.job')).length >= 8, report);
    double().faults.PUT.push(...Array.from({ length: 30 }, () => kinds[next(kinds.length)]!()));
    double().faults.GET.push(
      ...Array.from({ length: 10 }, () => (['short', 'reset', 503, 'wrong'] as const)[next(4)]!),
    );
    const worker = workerOf(address, url, double().env);
    await report;
    await worker.end();
    expect(double().faults.PUT).toEqual([]);
    expect(manifestText(manifestOf(home))).toBe(expected);
  }, 1_200_000);

  it('whose results were spoilt in the store do them again, and nothing is published where that does not help', async () => {
    url = await cluster.database();
    const folder = join(work, 'spoilt');
    const spoil = () => {
      for (const prefix of readdirSync(join(folder, 'work')))
        for (const name of readdirSync(join(folder, 'work', prefix))) {
          const path = join(folder, 'work', prefix, name);
          const bytes = readFileSync(path);
          // Plans are text; blocks are not. What is spoilt stays so.
          if (bytes[0] === 0x7b || createHash('sha256').update(bytes).digest('hex') !== name) continue;
          bytes[bytes.length >> 1]! ^= 1;
          writeFileSync(path, bytes);
        }
    };
    /** A store in which results do not keep. */
    const rotten = (times: number): ObjectStore => {
      const store = new FolderStore(folder);
      const open = store.open.bind(store);
      store.open = (key, from, signal) => {
        if (key.startsWith('work/') && times-- > 0) spoil();
        return open(key, from, signal);
      };
      return store;
    };
    const worker = workerOf(folder);
    const first = await coordinate(rotten(Number.POSITIVE_INFINITY), 2048);
    const before = currentId(join(first.home, 'releases'));
    await expect(first.report).rejects.toThrow('is damaged in the store');
    expect(currentId(join(first.home, 'releases'))).toBe(before);
    const second = await coordinate(rotten(1), 2048);
    await second.report;
    await worker.end();
    expect(manifestText(manifestOf(second.home))).toBe(expected);
  }, 1_200_000);

  it('that compute in their main thread lose their task again and again: heartbeats starve', async () => {
    url = await cluster.database();
    const board = await TaskBoard.open(url, quiet);
    const task = { key: taskKey('overlay-range', 'busy'), step: 'busy', name: 'busy', weight: 1, data: {} };
    await board.enqueue([task]);
    const workers = [1, 2].map(() => startProgram(['test/pipelines/workers/busy-worker.ts', url, work]));
    const told = () => workers.map(worker => worker.told()).join('');
    await until(() => (told().match(/^fenced /gm) ?? []).length >= 3);
    expect(told()).not.toMatch(/^done /m);
    expect(await board.outputs([task.key])).toEqual(new Map());
    for (const worker of workers) await worker.end('SIGKILL');
    await board.close();
  }, 1_200_000);
});
