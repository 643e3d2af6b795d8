import { type Command, UsageError } from '../../../query/engine/command.ts';
import { JOB_STATUSES, type JobStatus } from '../../state/jobs/status.ts';
import { withState } from '../open-state.ts';
import { lineOf, written } from './row.ts';

/** `plat jobs list`. */
export const jobsListCommand: Command = {
  name: 'jobs list',
  example: 'plat jobs list --status failed',
  summary: 'List jobs, the newest first: id, status, kind, key, attempt, why it failed',
  options: [
    { flags: '--status <status>', description: `Only those that are ${JOB_STATUSES.join(', ')}.` },
    { flags: '--kind <kind>', description: 'Only those of a kind.' },
    { flags: '--limit <number>', description: 'At most so many.', fallback: '50' },
  ],
  run: (_args, { status, kind, limit }, terminal) =>
    withState(async state => {
      if (status !== undefined && !JOB_STATUSES.includes(status as JobStatus))
        throw new UsageError(`jobs list: expected --status ${JOB_STATUSES.join(', ')}`);
      const most = Number(limit);
      if (!Number.isInteger(most) || most < 1 || most > 10_000)
        throw new UsageError('jobs list: expected --limit from 1 to 10000');
      const rows = await state.jobs.jobs({
        limit: most,
        ...(status === undefined ? {} : { status: status as JobStatus }),
        ...(typeof kind === 'string' ? { kind } : {}),
      });
      if (terminal.json) terminal.out(JSON.stringify({ jobs: rows.map(written) }));
      else if (rows.length === 0) terminal.err('There are no such jobs');
      else for (const row of rows) terminal.out(lineOf(row));
      return 0;
    }),
};
