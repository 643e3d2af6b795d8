import { type Command, UsageError } from '../../../query/engine/command.ts';
import { recordOf } from '../../field-requests/reading.ts';
import { STATUSES, type Status } from '../../state/field-requests/states.ts';
import { withState } from '../open-state.ts';
import { lineOf } from './row.ts';

/** `plat requests list`. */
export const requestsListCommand: Command = {
  name: 'requests list',
  example: 'plat requests list --waiting-on operator',
  summary: 'List field requests: id, status, place in the queue, since when, what is asked for',
  options: [
    {
      flags: '--status <status>',
      description: `Only those that are ${STATUSES.join(', ')}; queued ones in their order.`,
    },
    { flags: '--waiting-on <whom>', description: 'Only those that wait for the requester or an operator.' },
    { flags: '--limit <number>', description: 'At most so many.', fallback: '50' },
  ],
  run: (_args, { status, waitingOn, limit }, terminal) =>
    withState(async state => {
      if (status !== undefined && !STATUSES.includes(status as Status))
        throw new UsageError(`requests list: expected --status ${STATUSES.join(', ')}`);
      if (waitingOn !== undefined && waitingOn !== 'requester' && waitingOn !== 'operator')
        throw new UsageError('requests list: expected --waiting-on requester or operator');
      const most = Number(limit);
      if (!Number.isInteger(most) || most < 1 || most > 10_000)
        throw new UsageError('requests list: expected --limit from 1 to 10000');
      const rows = await state.fieldRequests.list({
        limit: most,
        ...(status === undefined ? {} : { status: status as Status }),
        ...(waitingOn === undefined ? {} : { waitingOn }),
      });
      if (terminal.json) terminal.out(JSON.stringify({ requests: rows.map(recordOf) }));
      else if (rows.length === 0) terminal.err('There are no such field requests');
      else
        for (const row of rows)
          terminal.out(
            lineOf(row, (await state.fieldRequests.body<{ description: string }>(row.id))?.description ?? ''),
          );
      return 0;
    }),
};
