import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runPlaces } from '../../../pipelines/run.ts';
import type { Machines } from '../../../pipelines/tasks/machines.ts';
import { TaskBoard } from '../../../pipelines/tasks/task-board.ts';
import { manifestText } from '../../../query/release/manifest.ts';
import { FolderStore } from '../../../query/release/store/folder-store.ts';
import { type SharedPostgres, sharedPostgres } from '../../server/state/shared-postgres.ts';
import { SILENT } from '../silent.ts';
import { manifestOf, NOW } from './bare-home.ts';
import { type County, countiesOf, publishCounty } from './counties.ts';
import { ageHeartbeats, askOf, startWorker } from './worker-process.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-layers-'));
const sources = join(work, 'sources');
const store = join(work, 'store');
const counties = countiesOf(2, 600);
const quiet = () => {};
let databases: SharedPostgres;
let url: string;

async function ingest(home: string, some: readonly County[], machines?: Machines) {
  return runPlaces({
    ...{ home, what: 'test', threads: 0, progress: SILENT, now: NOW, machines },
    places: some.map(({ place }) => ({ place, sources: join(sources, place.name), accept: [place.name] })),
  });
}

describe('layers that workers build', { tags: ['PostgreSQL'] }, () => {
  const [alone, home] = [join(work, 'alone'), join(work, 'home')];
  beforeAll(async () => {
    databases = await sharedPostgres();
    url = await databases.database();
    for (const county of counties) publishCounty(sources, county, 1);
  });
  afterAll(async () => {
    await databases.drop();
    rmSync(work, { recursive: true, force: true });
  });

  it('are the release of one process, file for file, also where one of two workers was killed (signal 9)', async () => {
    expect((await ingest(alone, counties)).failures).toEqual([]);
    const first = startWorker(join(work, 'first'), url, store);
    const board = await TaskBoard.open(url, quiet);
    const coordinated = ingest(home, counties, { board, store: new FolderStore(store) });
    coordinated.catch(quiet);
    const taken = `select id from plat_ingest_tasks.job where state = 'active'`;
    while (!(await askOf(url, taken)).length) {
      await Promise.race([pause(20), coordinated]);
      expect(first.child.exitCode, first.told()).toBeNull();
    }
    await first.end('SIGKILL');
    await ageHeartbeats(url);
    const second = startWorker(join(work, 'second'), url, store, {}, 2, [], ['--until-idle', '1']);
    const { failures, places } = await coordinated;
    expect(await second.ended, second.told()).toBe(0);
    expect(failures).toEqual([]);
    expect(places.map(({ reused }) => reused)).toEqual([0, 0]);
    expect(manifestText(manifestOf(home))).toBe(manifestText(manifestOf(alone)));
    const rows = await askOf<{ attempt: number }>(url, 'select attempt from plat_ingest.output');
    expect(rows).toHaveLength(6);
    expect(rows.some(({ attempt }) => attempt > 1)).toBe(true);
    await board.close();
  }, 300_000);
});
