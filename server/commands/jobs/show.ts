import { type Command, UsageError } from '../../../query/engine/command.ts';
import { withState } from '../open-state.ts';
import { written } from './row.ts';

/** `plat jobs show`. */
export const jobsShowCommand: Command = {
  name: 'jobs show',
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
