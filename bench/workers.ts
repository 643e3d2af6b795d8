// Measures what it costs to have the calculations of parcels made by workers: parcels a second of processor time, of one process
// with two threads, of a coordinator with one worker of two threads, and of one with two and with three workers of one thread. All
// compute all stored fields of the synthetic area, from cold. Processor time is that of coordinator and workers together;
// PostgreSQL's is not counted. With `--rounds N` these follow each other N times.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import synthetic from '../datasets/places/synthetic.ts';
import { runOverlay } from '../pipelines/overlay/run.ts';
import { run } from '../pipelines/run.ts';
import { TaskBoard } from '../pipelines/tasks/task-board.ts';
import { generateWorld } from '../pipelines/world/generate.ts';
import { FolderStore } from '../query/release/store/folder-store.ts';
import { SILENT } from '../test/pipelines/silent.ts';
import { startWorker, type WorkerProcess } from '../test/pipelines/workers/worker-process.ts';
import { startPostgres } from '../test/server/state/postgres.ts';
import { type BenchRow, report } from './report.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2' } } });
const PARCELS = Number(process.env.BENCH_PARCELS ?? 12_000);
/** Parcels of a block, and blocks of a range: as many tasks a parcel as 250 times larger an area would have. */
const [BLOCK, RANGE] = [512, 1];
const now = new Date('2026-11-21T08:00:00.000Z');
const work = mkdtempSync(join(tmpdir(), 'plat-bench-workers-'));
/** Ticks of a second in /proc. */
const TICKS = 100;

interface Run {
  readonly seconds: number;
  readonly cpu: number;
  readonly release: string;
}

/** Seconds of processor time of a process so far. */
function cpuOf({ child }: WorkerProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

const cluster = await startPostgres();
try {
  const bare = process.env.BENCH_HOME ?? join(work, 'bare');
  if (!existsSync(bare)) {
    const sources = join(work, 'sources');
    await generateWorld({ parcels: PARCELS, seed: 6, out: sources });
    await run({ home: bare, sources, place: synthetic, threads: 2, progress: SILENT, now });
  }
  let parcels = 0;
  let folders = 0;
  /** Computes the overlays once. @param workers threads of each; none: this process does it. */
  const once = async (workers: readonly number[]): Promise<Run> => {
    const folder = join(work, String(folders++));
    const home = join(folder, 'home');
    cpSync(bare, home, { recursive: true });
    const queue = await cluster.database();
    const store = join(folder, 'store');
    const started = performance.now();
    const before = process.cpuUsage();
    const board = workers.length ? await TaskBoard.open(queue, line => console.error(line)) : null;
    const machines = board ? { board, store: new FolderStore(store), rangeBlocks: RANGE } : undefined;
    const others = workers.map((threads, i) => startWorker(join(folder, `worker-${i}`), queue, store, {}, threads));
    const report = await runOverlay({
      ...{ home, threads: 2, memoryMb: 256, progress: SILENT, now, blockParcels: BLOCK, machines },
    });
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(before);
    const cpu = (user + system) / 1e6 + others.reduce((sum, worker) => sum + cpuOf(worker), 0);
    for (const worker of others) await worker.end();
    await board?.close();
    ({ parcels } = report);
    rmSync(folder, { recursive: true });
    return { seconds, cpu, release: report.release };
  };
  const cases = [
    { name: 'one process, two threads', workers: [] },
    { name: 'coordinator and one worker, two threads', workers: [2] },
    { name: 'coordinator and two workers, a thread each', workers: [1, 1] },
    { name: 'coordinator and three workers, a thread each', workers: [1, 1, 1] },
  ];
  const runs = cases.map((): Run[] => []);
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [i, { workers }] of cases.entries()) {
      runs[i]!.push(await once(workers));
      console.error(cases[i]!.name, JSON.stringify(runs[i]!.at(-1)));
    }
  const releases = new Set(runs.flat().map(({ release }) => release));
  if (releases.size > 1) throw new Error(`different releases were made: ${[...releases].join(', ')}`);
  const least = (of: readonly Run[], what: 'cpu' | 'seconds') => Math.min(...of.map(run => run[what]));
  const rows = (['cpu', 'seconds'] as const).flatMap(what =>
    cases.map(({ name }, i): BenchRow => {
      const [ours, peer] = [parcels / least(runs[i]!, what), parcels / least(runs[0]!, what)];
      const unit = what === 'cpu' ? 'parcels/s of processor time' : 'parcels/s by the clock';
      return { case: name, unit, ours, peer: i ? peer : null, ratio: i ? ours / peer : null };
    }),
  );
  report('workers', { plat: 'this checkout' }, rows);
} finally {
  await cluster.stop();
  rmSync(work, { recursive: true, force: true });
}
