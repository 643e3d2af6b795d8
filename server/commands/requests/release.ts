import type { Command } from '../../../query/engine/command.ts';
import { takeStep } from '../../field-requests/building/steps.ts';
import { onRequest, STEP_OPTIONS, signed, told } from './step.ts';

/** `plat requests release`. */
export const requestsReleaseCommand: Command = {
  name: 'requests release',
  summary: 'Give a claimed field request, or one that is being built, back to the queue, at its old place',
  args: ['<request>'],
  options: STEP_OPTIONS,
  run: ([id], options, terminal) =>
    onRequest(terminal, async state =>
      told(
        terminal,
        await takeStep(state, {
          ...signed(id!, options, 'given back'),
          from: ['claimed', 'building'],
          to: 'queued',
          build: {},
        }),
      ),
    ),
};
