import { type Command, UsageError } from '../../query/engine/command.ts';
import { overlayMemoryMb } from '../overlay/memory.ts';
import { interruption } from './interruption.ts';
import { MACHINES_OPTIONS, machinesOf } from './machines-option.ts';

/** `plat ingest worker`: does tasks of ingests of other machines. */
export const ingestWorkerCommand: Command = {
  name: 'ingest worker',
  summary: 'Do tasks of ingests that run with the same --queue and --store, until it is stopped.',
  options: [
    ...MACHINES_OPTIONS,
    { flags: '--threads <n>', description: 'Threads that compute, at least 1.', fallback: '2' },
  ],
  async run(_args, options, terminal) {
    const threads = Number(options.threads ?? 2);
    if (!Number.isInteger(threads) || threads < 1)
      throw new UsageError(`--threads ${options.threads}: expected a whole number from 1`);
    if (options.queue === undefined) throw new UsageError('expected --queue postgres://… and --store');
    const [{ workOnTasks }, { RangeStep }, { RANGE_STEP }, { readSettings }, { takeLock }, { Store }] =
      await Promise.all([
        import('../tasks/worker.ts'),
        import('../overlay/range-step.ts'),
        import('../overlay/range.ts'),
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
        const steps = { [RANGE_STEP]: new RangeStep(at) };
        await workOnTasks({ ...at, board, steps, signal: stop.signal });
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
