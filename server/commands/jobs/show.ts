import { type Command, UsageError } from '../../../query/engine/command.ts';
import { withState } from '../open-state.ts';
import { written } from './row.ts';

/** `plat jobs show`. */
export const jobsShowCommand: Command = {
  name: 'jobs show',
  example: 'plat jobs show 4f1c7a52-9d0e-4c7b-8f57-0c2a6f3d9e11',
  summary: 'Show one job with its data, progress and why its last attempt failed',
  args: ['<job>'],
  options: [],
  run: ([id], _options, terminal) =>
    withState(async state => {
      const row = await state.jobs.job(id!);
      if (!row) throw new UsageError(`jobs show: there is no job ${id}; \`plat jobs list\` shows those that there are`);
      terminal.out(terminal.json ? JSON.stringify(written(row)) : JSON.stringify(written(row), null, 2));
      return 0;
    }),
};
