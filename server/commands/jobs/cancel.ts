import { type Command, UsageError } from '../../../query/engine/command.ts';
import { withState } from '../open-state.ts';

/** `plat jobs cancel`. */
export const jobsCancelCommand: Command = {
  name: 'jobs cancel',
  example: 'plat jobs cancel 4f1c7a52-9d0e-4c7b-8f57-0c2a6f3d9e11',
  summary: 'Cancel a job that waits or runs; what it would have changed does not happen',
  args: ['<job>'],
  options: [],
  run: ([id], _options, terminal) =>
    withState(async state => {
      const { jobKind } = await import('../../job-kinds.ts');
      const row = await state.jobs.job(id!);
      const ended =
        row && jobKind(row.kind)?.ended?.(row, { how: 'cancelled', error: 'cancelled by an operator' }, Date);
      if (!row || !(await state.jobs.cancel(id!, ended ?? undefined)))
        throw new UsageError(`jobs cancel: ${id} is no job that waits or runs`);
      terminal.err(`${id} is cancelled`);
      return 0;
    }),
};
