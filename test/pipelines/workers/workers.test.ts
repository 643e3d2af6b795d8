import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOverlay } from '../../../pipelines/overlay/run.ts';
import { identified } from '../../../pipelines/release/manifest.ts';
import { TaskBoard } from '../../../pipelines/tasks/task-board.ts';
import { publish } from '../../../query/release/home/publish.ts';
import { manifestText } from '../../../query/release/manifest.ts';
import { FolderStore } from '../../../query/release/store/folder-store.ts';
import { Town } from '../../query/changes/town.ts';
import { type SharedPostgres, sharedPostgres } from '../../server/state/shared-postgres.ts';
import { SILENT } from '../silent.ts';
import { manifestOf, NOW } from './bare-home.ts';
import { ageHeartbeats, askOf, startWorker } from './worker-process.ts';

/** Parcels of a block: a page of records. */
const blockParcels = 32;
const LOTS = Array.from({ length: 70 }, (_, i) => ({ no: String(i), column: i % 10, row: Math.floor(i / 10) }));
const town = new Town();
const work = mkdtempSync(join(tmpdir(), 'plat-workers-'));
const quiet = () => {};
let databases: SharedPostgres;
let url: string;

describe('an overlay that workers compute', { tags: ['PostgreSQL'] }, () => {
  beforeAll(async () => {
    databases = await sharedPostgres();
    url = await databases.database();
  });
  afterAll(async () => {
    await databases.drop();
    rmSync(work, { recursive: true, force: true });
    town.remove();
  });

  it('is the same, file for file, also where a worker was killed (signal 9)', async () => {
    const alone = town.home;
    await town.publish({ lots: LOTS, wet: [3], zone: 'R1', population: 1000 });
    const { overlays: _, calculations: __, ...bare } = manifestOf(alone);
    await publish(join(alone, 'releases'), identified({ ...bare, createdAt: NOW.toISOString() }));
    const home = join(work, 'home');
    cpSync(alone, home, { recursive: true });
    const common = { threads: 0, memoryMb: 256, progress: SILENT, now: NOW };
    await runOverlay({ ...common, home: alone });
    const store = join(work, 'store');
    const first = startWorker(join(work, 'first'), url, store);
    const board = await TaskBoard.open(url, quiet);
    const machines = { board, store: new FolderStore(store), rangeBlocks: 1 };
    const coordinated = runOverlay({ ...common, home, blockParcels, machines });
    coordinated.catch(quiet);
    const taken = `select id from plat_ingest_tasks.job where state = 'active'`;
    while (!(await askOf(url, taken)).length) {
      await Promise.race([pause(20), coordinated]);
      expect(first.child.exitCode, first.told()).toBeNull();
    }
    await first.end('SIGKILL');
    await ageHeartbeats(url);
    const second = startWorker(join(work, 'second'), url, store, {}, 1, [], ['--until-idle', '1']);
    const report = await coordinated;
    // Nobody stops it.
    expect(await second.ended, second.told()).toBe(0);
    await board.close();
    expect(report).toMatchObject({ changed: true });
    expect(manifestText(manifestOf(home))).toBe(manifestText(manifestOf(alone)));
    const rows = await askOf<{ worker: string; attempt: number }>(
      url,
      'select worker, attempt from plat_ingest.output',
    );
    expect(rows.some(({ attempt }) => attempt > 1)).toBe(true);
  }, 300_000);
});
