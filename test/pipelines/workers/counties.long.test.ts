import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runPlaces } from '../../../pipelines/run.ts';
import { TaskBoard } from '../../../pipelines/tasks/task-board.ts';
import { manifestText } from '../../../query/release/manifest.ts';
import { S3Store } from '../../../query/release/store/s3-store.ts';
import { useGateway } from '../../ceph/radosgw.ts';
import { type SharedPostgres, sharedPostgres } from '../../server/state/shared-postgres.ts';
import { SILENT } from '../silent.ts';
import { manifestOf, NOW } from './bare-home.ts';
import { bytesOf, type County, countiesOf, publishCounty, stored } from './counties.ts';
import { askOf, startWorker } from './worker-process.ts';

/** How many counties, and lots of the largest: of a nation's sizes, unless PLAT_TEST_COUNTIES says fewer, as 8:1500. */
const [COUNTIES, MOST] = (process.env.PLAT_TEST_COUNTIES ?? '60:13000').split(':').map(Number) as [number, number];
/** Tasks between two kills, so that there are some thirty of them however many counties there are. */
const TASKS_A_KILL = Math.max(2, COUNTIES >> 3);
const work = mkdtempSync(join(tmpdir(), 'plat-counties-'));
const root = join(work, 'sources');
const quiet = () => {};

describe(`${COUNTIES} counties on one coordinator and three workers`, { tags: ['PostgreSQL', 'Ceph'] }, () => {
  const counties = countiesOf(COUNTIES, MOST);
  const [alone, home] = [join(work, 'alone'), join(work, 'home')];
  let databases: SharedPostgres;
  let url: string;
  useGateway('plat');
  beforeAll(async () => {
    databases = await sharedPostgres();
    url = await databases.database();
    for (const county of counties) publishCounty(root, county, 1);
  });
  afterAll(async () => {
    await databases.drop();
    rmSync(work, { recursive: true, force: true });
  });

  async function ingest(into: string, some: readonly County[], isShared: boolean) {
    const board = isShared ? await TaskBoard.open(url, quiet) : null;
    const machines = board ? { board, store: new S3Store('s3://plat/counties') } : undefined;
    try {
      return await runPlaces({
        ...{ home: into, what: 'test', threads: 0, progress: SILENT, now: NOW },
        overlay: { memoryMb: 256 },
        machines,
        places: some.map(({ place }) => ({ place, sources: join(root, place.name), accept: [place.name] })),
      });
    } finally {
      await board?.close();
    }
  }
  const doneTasks = async () =>
    (await askOf<{ done: number }>(url, 'select count(*)::int as done from plat_ingest.output'))[0]!.done;

  it('are the release of one process, file for file, where workers are killed (signal 9) again and again', async () => {
    expect((await ingest(alone, counties, false)).failures).toEqual([]);
    const coordinated = ingest(home, counties, true);
    let over = false;
    coordinated.then(
      () => (over = true),
      () => (over = true),
    );
    const start = (i: number) => startWorker(join(work, `worker-${i}`), url, 's3://plat/counties');
    const workers = [0, 1, 2].map(start);
    let [kills, before] = [0, 0];
    while (!over) {
      await Promise.race([pause(250), coordinated.catch(quiet)]);
      const done = await doneTasks().catch(() => 0);
      if (over || done < before + TASKS_A_KILL) continue;
      before = done;
      const i = kills++ % workers.length;
      await workers[i]!.end('SIGKILL');
      workers[i] = start(i);
    }
    expect((await coordinated).failures).toEqual([]);
    for (const worker of workers) await worker.end();
    const rows = await askOf<{ attempt: number; took_ms: string }>(
      url,
      'select attempt, took_ms from plat_ingest.output',
    );
    const lots = counties.reduce((sum, { lots: each }) => sum + each, 0);
    const seconds = rows.reduce((sum, { took_ms }) => sum + Number(took_ms), 0) / 1000;
    const again = rows.filter(({ attempt }) => attempt > 1).length;
    console.log(
      `${COUNTIES} counties, ${lots} lots: ${rows.length} tasks, ${kills} kills, ${again} begun again, ${seconds.toFixed(0)} s of workers`,
    );
    expect(manifestText(manifestOf(home))).toBe(manifestText(manifestOf(alone)));
    // Three layers and a range of parcels each.
    expect(rows).toHaveLength(4 * COUNTIES);
    expect(kills).toBeGreaterThan((4 * COUNTIES) / (4 * TASKS_A_KILL) - 1);
    expect(await askOf(url, 'select * from plat_ingest.failure')).toEqual([]);
  }, 7_200_000);

  it('of which one has a new edition write little more than what that one holds', async () => {
    const one = counties[counties.length >> 1]!;
    publishCounty(root, one, 2);
    const [apart, releases] = [join(work, 'apart'), join(home, 'releases')];
    cpSync(home, apart, { recursive: true });
    const before = stored(releases);
    const worker = startWorker(join(work, 'worker-0'), url, 's3://plat/counties');
    const { changed, failures } = await ingest(home, [one], true);
    await worker.end();
    expect({ changed, failures }).toEqual({ changed: true, failures: [] });
    const written = [...stored(releases)].reduce((sum, [path, bytes]) => sum + (before.has(path) ? 0 : bytes), 0);
    const own = bytesOf(manifestOf(home), one.place);
    console.log(`${written} bytes written for a county of ${own}: ${(written / own).toFixed(2)}`);
    await ingest(apart, [one], false);
    expect(manifestText(manifestOf(home))).toBe(manifestText(manifestOf(apart)));
    expect(written / own).toBeLessThanOrEqual(1.2);
  }, 1_200_000);
});
