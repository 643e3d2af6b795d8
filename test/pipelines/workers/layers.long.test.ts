import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import synthetic from '../../../datasets/places/synthetic.ts';
import { run } from '../../../pipelines/run.ts';
import { TaskBoard } from '../../../pipelines/tasks/task-board.ts';
import { manifestText } from '../../../query/release/manifest.ts';
import { FolderStore } from '../../../query/release/store/folder-store.ts';
import { type SharedPostgres, sharedPostgres } from '../../server/state/shared-postgres.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { SILENT } from '../silent.ts';
import { FILES, village, writeFiles } from '../village.ts';
import { manifestOf, NOW } from './bare-home.ts';
import { ageHeartbeats, askOf, startWorker } from './worker-process.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-all-layers-'));
const store = join(work, 'store');
const quiet = () => {};
/** Tasks after which a worker is killed. */
const TASKS = 20;
let databases: SharedPostgres;
let url: string;

describe('workers', { tags: ['PostgreSQL'] }, () => {
  beforeAll(async () => {
    databases = await sharedPostgres();
    url = await databases.database();
  });
  afterAll(async () => {
    await databases.drop();
    rmSync(work, { recursive: true, force: true });
  });
  const common = { threads: 0, progress: SILENT, now: NOW };

  it('build every layer of the synthetic area, in all its formats, as one process does', async () => {
    const { sources } = await syntheticHome();
    const [alone, home] = [join(work, 'alone'), join(work, 'home')];
    await run({ ...common, home: alone, sources, place: synthetic });
    const board = await TaskBoard.open(url, quiet);
    const first = startWorker(join(work, 'first'), url, store, {}, 2);
    const second = startWorker(join(work, 'second'), url, store);
    const machines = { board, store: new FolderStore(store) };
    const coordinated = run({ ...common, home, sources, place: synthetic, machines });
    coordinated.catch(quiet);
    while ((await askOf(url, 'select key from plat_ingest.output')).length < TASKS) {
      await Promise.race([pause(100), coordinated]);
      expect(first.child.exitCode, first.told()).toBeNull();
    }
    await first.end('SIGKILL');
    await ageHeartbeats(url);
    const { counts } = await coordinated;
    await second.end();
    await board.close();
    expect(manifestText(manifestOf(home))).toBe(manifestText(manifestOf(alone)));
    const rows = await askOf<{ worker: string }>(url, 'select worker from plat_ingest.output');
    expect(new Set(rows.map(({ worker }) => worker)).size).toBe(2);
    console.log(`${rows.length} tasks of ${counts.length} layers`);
    expect(rows.length).toBeGreaterThan(100);
  }, 1_800_000);

  it('try a layer that cannot be built three times, build the others, and publish nothing', async () => {
    const sources = join(work, 'broken');
    writeFiles(sources, FILES);
    writeFileSync(join(sources, 'zoning.geojson'), '{"type":"FeatureCollection","features":[{"type":');
    const board = await TaskBoard.open(url, quiet);
    const worker = startWorker(join(work, 'second'), url, store);
    const machines = { board, store: new FolderStore(store) };
    const home = join(work, 'none');
    await expect(run({ ...common, home, sources, place: village, machines })).rejects.toThrow(/zoning\.geojson/);
    const failures = await askOf<{ errors: number }>(url, 'select errors from plat_ingest.failure');
    expect(failures.map(({ errors }) => errors)).toEqual([3]);
    // What was built meanwhile is not built again.
    writeFiles(sources, FILES);
    const { reused, changed } = await run({ ...common, home, sources, place: village, machines });
    expect([reused, changed]).toEqual([1, true]);
    await worker.end();
    await board.close();
  }, 300_000);
});
