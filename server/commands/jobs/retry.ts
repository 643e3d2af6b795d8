import { type Command, UsageError } from '../../../query/engine/command.ts';
import { withState } from '../open-state.ts';

/** `plat jobs retry`. */
export const jobsRetryCommand: Command = {
  name: 'jobs retry',
  example: 'plat jobs retry 4f1c7a52-9d0e-4c7b-8f57-0c2a6f3d9e11',
  summary: 'Let a job that failed or was cancelled be done again, with all its attempts',
  args: ['<job>'],
  options: [],
  run: ([id], _options, terminal) =>
    withState(async state => {
      const { jobKind } = await import('../../job-kinds.ts');
      const row = await state.jobs.job(id!);
      if (!row || !(await state.jobs.retry(id!, jobKind(row.kind)?.attempts ?? 1)))
        throw new UsageError(
          `jobs retry: ${id} is no job that failed or was cancelled, or another with its key waits or runs`,
        );
      terminal.err(`${id} waits to be done again`);
      return 0;
    }),
};
