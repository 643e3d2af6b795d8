import type { Command } from '../../../query/engine/command.ts';
import { requestOf, takeStep } from '../../field-requests/building/steps.ts';
import { onRequest, STEP_OPTIONS, signed, told } from './step.ts';

/** `plat requests claim`. */
export const requestsClaimCommand: Command = {
  name: 'requests claim',
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
