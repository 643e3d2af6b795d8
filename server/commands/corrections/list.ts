import { type Command, UsageError } from '../../../query/engine/command.ts';
import { plainLine, visibleText } from '../../../query/format/plain-text.ts';
import type { CorrectionRow } from '../../state/corrections/row.ts';
import { STATUSES, type Status } from '../../state/corrections/states.ts';
import { withState } from '../open-state.ts';

const short = (value: unknown): string => {
  const text = plainLine(String(value));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

const lineOf = ({ id, status, field, said, value, place, createdAt }: CorrectionRow): string => {
  const where = place.parcel_id ?? `${place.lat}, ${place.lng}`;
  return `${id}  ${status}  ${field}: ${short(said.value ?? said.status)} → ${short(value)}  at ${where}  since ${new Date(createdAt).toISOString()}`;
};

/** `plat corrections list`. */
export const correctionsListCommand: Command = {
  name: 'corrections list',
  example: 'plat corrections list --status received',
  summary: 'List corrections, the oldest first: what was answered, what it shall be, and where',
  options: [
    { flags: '--status <status>', description: `Only those that are ${STATUSES.join(', ')}.` },
    { flags: '--limit <number>', description: 'At most so many.', fallback: '50' },
  ],
  run: (_args, { status, limit }, terminal) =>
    withState(async state => {
      if (status !== undefined && !STATUSES.includes(status as Status))
        throw new UsageError(`corrections list: expected --status ${STATUSES.join(', ')}`);
      const most = Number(limit);
      if (!Number.isInteger(most) || most < 1 || most > 10_000)
        throw new UsageError('corrections list: expected --limit from 1 to 10000');
      const rows = await state.corrections.list({
        limit: most,
        ...(status === undefined ? {} : { status: status as Status }),
      });
      if (terminal.json) {
        const [{ catalog }, { recordOf }] = await Promise.all([
          import('../../../datasets/catalog.ts'),
          import('../../corrections/reading.ts'),
        ]);
        terminal.out(visibleText(JSON.stringify({ corrections: rows.map(row => recordOf(catalog, row)) })));
      } else if (rows.length === 0) terminal.err('There are no such corrections');
      else for (const row of rows) terminal.out(lineOf(row));
      return 0;
    }),
};
