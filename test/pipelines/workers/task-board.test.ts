import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AwaitedTasks } from '../../../pipelines/tasks/awaited-tasks.ts';
import { type Task, taskKey } from '../../../pipelines/tasks/task.ts';
import { type Claim, TaskBoard } from '../../../pipelines/tasks/task-board.ts';
import type { TaskStep } from '../../../pipelines/tasks/task-step.ts';
import { workOnTasks } from '../../../pipelines/tasks/worker.ts';
import { hashFile } from '../../../query/format/file-hash.ts';
import { FolderStore } from '../../../query/release/store/folder-store.ts';
import { type Pooler, startPgBouncer } from '../../server/state/pgbouncer.ts';
import { type SharedPostgres, sharedPostgres } from '../../server/state/shared-postgres.ts';
import { ageHeartbeats, askOf } from './worker-process.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-board-'));
const quiet = () => {};
const OUTPUT = { files: [{ sha256: 'a'.repeat(64), bytes: 3 }], rows: 7 };
let databases: SharedPostgres;

const task = (name: string, weight = 1): Task => ({
  key: taskKey('overlay-range', name),
  step: 'test',
  name,
  weight,
  data: { name },
});

/** Takes what comes next, also when that is what a worker without heartbeats has lost. */
async function nextOf(board: TaskBoard): Promise<Claim> {
  for (;;) {
    const claim = await board.claim();
    if (claim) return claim;
    await pause(50);
  }
}

describe('tasks in PostgreSQL, of two machines, one of them behind PgBouncer', {
  tags: ['PostgreSQL', 'PgBouncer'],
}, () => {
  let url: string;
  let pooler: Pooler;
  let [ours, theirs]: TaskBoard[] = [];
  beforeAll(async () => {
    databases = await sharedPostgres();
    url = await databases.database();
    pooler = await startPgBouncer(url);
    // Both make the tables.
    [ours, theirs] = await Promise.all([TaskBoard.open(url, quiet), TaskBoard.open(pooler.through(url), quiet)]);
  });
  afterAll(async () => {
    await Promise.all([ours!.close(), theirs!.close()]);
    await pooler.stop();
    await databases.drop();
    rmSync(work, { recursive: true, force: true });
  });

  it('wait once, heaviest first, whoever enqueued them', async () => {
    const tasks = [task('light', 1), task('heavy', 9), task('middling', 5)];
    await Promise.all([ours!.enqueue(tasks), theirs!.enqueue(tasks)]);
    const claims = [await ours!.claim(), await theirs!.claim(), await ours!.claim()];
    expect(claims.map(claim => claim?.task.name)).toEqual(['heavy', 'middling', 'light']);
    expect(await theirs!.claim()).toBeNull();
    for (const claim of claims) expect(await ours!.finish(claim!, OUTPUT, 1)).toBe(true);
    expect((await ours!.outputs(tasks.map(({ key }) => key))).size).toBe(3);
  });

  it('that another worker took over are fenced off, and leave one row', async () => {
    const one = task('taken over');
    await ours!.enqueue([one]);
    const late = await nextOf(ours!);
    await ageHeartbeats(url);
    const claim = await nextOf(theirs!);
    expect(claim).toMatchObject({ task: one, attempt: 2 });
    expect(await ours!.heartbeat(late)).toBe(false);
    expect(await ours!.finish(late, { ...OUTPUT, rows: 1 }, 1)).toBe(false);
    expect(await ours!.fail(late, 'too late')).toBe(false);
    expect(await ours!.outputs([one.key])).toEqual(new Map());
    expect(await theirs!.finish(claim, OUTPUT, 1)).toBe(true);
    // An answer that was lost is asked for again.
    expect(await theirs!.finish(claim, OUTPUT, 1)).toBe(true);
    expect(await ours!.outputs([one.key])).toEqual(new Map([[one.key, OUTPUT]]));
    expect(await askOf(url, 'select * from plat_ingest.failure')).toEqual([]);
  });

  it('that fail three times are given up, and are tried anew when somebody asks for them again', async () => {
    const one = task('broken');
    const rush = () => askOf(url, `update plat_ingest_tasks.job set start_after = now() where state = 'retry'`);
    for (let round = 0; round < 2; round++) {
      await ours!.enqueue([one]);
      for (let error = 1; error <= 3; error++) {
        expect(await ours!.failures([one.key])).toEqual([]);
        expect(await ours!.fail(await nextOf(ours!), `error ${error}`)).toBe(true);
        await rush();
      }
      expect(await ours!.failures([one.key])).toMatchObject([{ message: 'error 3', worker: ours!.worker }]);
      expect(await ours!.claim()).toBeNull();
    }
    const dead = await askOf(url, `select data from plat_ingest_tasks.job where name = 'dead'`);
    expect(dead).toMatchObject([{ data: { key: one.key } }, { data: { key: one.key } }]);
  });

  it('are handed back by a worker that is stopped', async () => {
    await ours!.enqueue([task('stopped')]);
    const claim = await nextOf(ours!);
    await ours!.handBack(claim);
    const again = await nextOf(theirs!);
    expect(again.task).toEqual(claim.task);
    expect(await ours!.finish(claim, OUTPUT, 1)).toBe(false);
    expect(await theirs!.finish(again, OUTPUT, 1)).toBe(true);
  });

  it('are uploaded and told by a worker, and those whose store fails are not', async () => {
    const store = new FolderStore(join(work, 'store'));
    let failing = 1;
    const put = store.put.bind(store);
    store.put = async (key, from) => {
      if (failing-- > 0) throw new Error('no room');
      await put(key, from);
    };
    const step: TaskStep = {
      atOnce: 1,
      async run(data) {
        const path = join(work, 'made');
        writeFileSync(path, JSON.stringify(data));
        return { files: [{ path, sha256: await hashFile(path), bytes: JSON.stringify(data).length }], rows: 1 };
      },
      drop: quiet,
      close: async () => {},
    };
    const stop = new AbortController();
    const told: string[] = [];
    const at = { home: work, store, threads: 1, memoryMb: 1, told: (line: string) => told.push(line) };
    const worked = workOnTasks({ ...at, board: ours!, steps: { test: step }, signal: stop.signal });
    const one = task('uploaded');
    await theirs!.enqueue([one]);
    const end = new AwaitedTasks(theirs!, undefined).end(one);
    await pause(0);
    const output = await end;
    stop.abort(new Error('stopped'));
    await worked;
    expect(told.join('\n')).toMatch(/no room.*failed .*done /s);
    if ('message' in output) throw new Error(output.message);
    const { sha256 } = output.files[0]!;
    expect((await store.read(`work/${sha256.slice(0, 2)}/${sha256}`))?.toString()).toBe('{"name":"uploaded"}');
  });

  it('keep a worker that ends when idle for as long as somebody does one, and end it then', async () => {
    const step: TaskStep = { atOnce: 1, run: async () => ({ files: [], rows: 0 }), drop: quiet, close: async () => {} };
    await theirs!.enqueue([task('of another', 2), task('of the idle one', 1)]);
    const elsewhere = await nextOf(theirs!);
    const told: string[] = [];
    const at = { home: work, store: new FolderStore(join(work, 'idle')), threads: 1, memoryMb: 1 };
    let over = false;
    const worked = workOnTasks({
      ...at,
      told: line => told.push(line),
      board: ours!,
      steps: { test: step },
      signal: new AbortController().signal,
      idleMs: 1,
    }).finally(() => (over = true));
    while (!told.some(line => line.startsWith('done'))) await pause(20);
    // Longer than from one look to the next.
    await pause(1_500);
    expect(over).toBe(false);
    expect(await theirs!.finish(elsewhere, OUTPUT, 1)).toBe(true);
    await worked;
    expect(told.at(-1)).toBe('no task is left');
  });
});
