// Measures what it costs to have layers read by workers: lots a second of processor time, of one process with two threads, of a
// coordinator with one worker of one thread, and of one with three. All ingest the same counties, from cold, without calculations
// of parcels. Processor time of workers and of whoever coordinates stands apart; PostgreSQL's is not counted.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPlaces } from '../../pipelines/run.ts';
import { TaskBoard } from '../../pipelines/tasks/task-board.ts';
import { FolderStore } from '../../query/release/store/folder-store.ts';
import { SILENT } from '../../test/pipelines/silent.ts';
import { countiesOf, publishCounty } from '../../test/pipelines/workers/counties.ts';
import { startWorker, type WorkerProcess } from '../../test/pipelines/workers/worker-process.ts';
import { startPostgres } from '../../test/server/state/postgres.ts';
import { type BenchRow, report } from '../report.ts';

const [COUNTIES, MOST] = (process.env.BENCH_COUNTIES ?? '12:4000').split(':').map(Number) as [number, number];
const now = new Date('2026-11-21T08:00:00.000Z');
const work = mkdtempSync(join(tmpdir(), 'plat-bench-layers-'));
/** Ticks of a second in /proc. */
const TICKS = 100;

interface Run {
  readonly seconds: number;
  readonly own: number;
  readonly others: number;
  readonly release: string | null;
}

/** Seconds of processor time of a process so far. */
function cpuOf({ child }: WorkerProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

const cluster = await startPostgres();
try {
  const counties = countiesOf(COUNTIES, MOST);
  const lots = counties.reduce((sum, county) => sum + county.lots, 0);
  const sources = join(work, 'sources');
  for (const county of counties) publishCounty(sources, county, 1);
  const once = async (name: string, workers: number): Promise<Run> => {
    const folder = join(work, name.replaceAll(' ', '-'));
    const queue = await cluster.database();
    const store = join(folder, 'store');
    const board = workers > 0 ? await TaskBoard.open(queue, line => console.error(line)) : null;
    const machines = board ? { board, store: new FolderStore(store) } : undefined;
    const others = Array.from({ length: workers }, (_, i) => startWorker(join(folder, `worker-${i}`), queue, store));
    // The start of a worker is no part of its rate.
    const begun = async () => {
      while (others.some(worker => !worker.told().includes('works on tasks')))
        await new Promise(r => setTimeout(r, 50));
    };
    await begun();
    const idle = others.reduce((sum, worker) => sum + cpuOf(worker), 0);
    const started = performance.now();
    const before = process.cpuUsage();
    const { release } = await runPlaces({
      ...{ home: join(folder, 'home'), what: 'bench', threads: 2, progress: SILENT, now, machines },
      places: counties.map(({ place }) => ({ place, sources: join(sources, place.name), accept: [place.name] })),
    });
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(before);
    const spent = others.reduce((sum, worker) => sum + cpuOf(worker), 0) - idle;
    for (const worker of others) await worker.end();
    await board?.close();
    rmSync(folder, { recursive: true });
    const run = { seconds, own: (user + system) / 1e6, others: spent, release };
    console.error(name, JSON.stringify(run));
    return run;
  };
  const alone = await once('one process', 0);
  const one = await once('one worker', 1);
  const three = await once('three workers', 3);
  if (new Set([alone, one, three].map(({ release }) => release)).size > 1)
    throw new Error('different releases were made');
  const unit = 'lots/s of processor time';
  const row = (name: string, ours: number, peer: number | null): BenchRow => ({
    ...{ case: name, unit, ours, peer, ratio: peer === null ? null : ours / peer },
  });
  const whole = ({ own, others }: Run) => lots / (own + others);
  report('layer-workers', { plat: 'this checkout' }, [
    row('one process, all of it', whole(alone), null),
    row('coordinator and one worker, all of it', whole(one), whole(alone)),
    row('coordinator and three workers, all of it', whole(three), whole(alone)),
    row('one worker alone', lots / one.others, null),
    row('three workers alone', lots / three.others, lots / one.others),
    row('coordinator of three alone', lots / three.own, null),
  ]);
} finally {
  await cluster.stop();
  rmSync(work, { recursive: true, force: true });
}
