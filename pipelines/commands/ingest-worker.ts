import { type Command, UsageError } from '../../query/engine/command.ts';
import { overlayMemoryMb } from '../overlay/memory.ts';
import { interruption } from './interruption.ts';
import { MACHINES_OPTIONS, machinesOf } from './machines-option.ts';

/** A coordinator that begins its next stage, or a county that follows another one, takes less. */
const IDLE_SECONDS = 60;

/** `plat ingest worker`: does tasks of ingests of other machines. */
export const ingestWorkerCommand: Command = {
  name: 'ingest worker',
  example: 'plat ingest worker --queue postgres://plat@db/plat --store s3://releases/plat --until-idle',
  summary: 'Do tasks of ingests that run with the same --queue and --store, until it is stopped or --until-idle.',
  options: [
    ...MACHINES_OPTIONS,
    { flags: '--threads <n>', description: 'Threads that compute, at least 1.', fallback: '2' },
    {
      flags: '--until-idle [seconds]',
      description: 'End when for so long no task waited and nobody did one; 60 when no number is given.',
    },
  ],
  async run(_args, options, terminal) {
    const threads = Number(options.threads ?? 2);
    if (!Number.isInteger(threads) || threads < 1)
      throw new UsageError(`--threads ${options.threads}: expected a whole number from 1`);
    const idle = options.untilIdle === true ? IDLE_SECONDS : Number(options.untilIdle ?? Number.POSITIVE_INFINITY);
    if (!(idle > 0)) throw new UsageError(`--until-idle ${options.untilIdle}: expected seconds, more than 0`);
    if (options.queue === undefined) throw new UsageError('expected --queue postgres://… and --store');
    const [tasks, overlay, range, remote, layer, { readSettings }, { takeLock }, { Store }] = await Promise.all([
      import('../tasks/worker.ts'),
      import('../overlay/range-step.ts'),
      import('../overlay/range.ts'),
      import('../remote/layer-step.ts'),
      import('../remote/layer-task.ts'),
      import('../../query/engine/settings.ts'),
      import('../../query/release/home/lock.ts'),
      import('../../query/release/home/store.ts'),
    ]);
    const { home, memory } = readSettings(process.env);
    // Files come into the home and go from it as tasks need them.
    const lock = takeLock(new Store(home).releases, 'worker');
    const stop = interruption('stopped');
    try {
      const { board, store } = (await machinesOf(options, terminal))!;
      try {
        const told = (line: string) => terminal.err(line);
        const at = { home, store, threads, memoryMb: overlayMemoryMb(memory), told };
        told(`${board.worker} works on tasks of ${board.build}`);
        const steps = {
          [range.RANGE_STEP]: new overlay.RangeStep(at),
          [layer.LAYER_STEP]: new remote.LayerStep(at),
        };
        await tasks.workOnTasks({ ...at, board, steps, signal: stop.signal, idleMs: idle * 1000 });
      } finally {
        await board.close();
      }
      return 0;
    } finally {
      stop.end();
      lock.release();
    }
  },
};
