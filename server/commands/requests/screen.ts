import type { Command } from '../../../query/engine/command.ts';
import { requestOf, requireStep } from '../../field-requests/building/steps.ts';
import { onRequest } from './step.ts';

/** `plat requests screen`. */
export const requestsScreenCommand: Command = {
  name: 'requests screen',
  example: 'plat requests screen fr_7m3k5q2w4t6y2u5i3o4p2a6s7d',
  summary: 'Have a field request screened again whose screening failed and waits for an operator',
  args: ['<request>'],
  options: [],
  run: ([id], _options, terminal) =>
    onRequest(terminal, async state => {
      const row = await requestOf(state, id!);
      requireStep(row, 'screening', ['received', 'screening']);
      const { screeningOf } = await import('../../field-requests/screening/screening-job.ts');
      await state.jobs.enqueue(screeningOf(row.id, row.accountId));
      terminal.err(`${row.id} waits to be screened`);
      return 0;
    }),
};
