import type { Command } from '../../../query/engine/command.ts';
import { requestOf, takeStep } from '../../field-requests/building/steps.ts';
import { onRequest, STEP_OPTIONS, signed, told } from './step.ts';

/** `plat requests claim`. */
export const requestsClaimCommand: Command = {
  name: 'requests claim',
  example: 'plat requests claim fr_7m3k5q2w4t6y2u5i3o4p2a6s7d --by ada',
  summary: 'Take a queued field request to build it; without an id, the first of the queue',
  args: ['[request]'],
  options: STEP_OPTIONS,
  run: ([given], options, terminal) =>
    onRequest(terminal, async state => {
      const first = async () => (await state.fieldRequests.list({ status: 'queued', limit: 1 }))[0]?.id;
      const id = given ?? (await first());
      if (id === undefined) {
        terminal.err('No field request is queued');
        return 1;
      }
      const step = signed(id, options, 'taken to be built');
      const { build } = await requestOf(state, id);
      return told(terminal, await takeStep(state, { ...step, to: 'claimed', build: { ...build, holder: step.by } }));
    }),
};
