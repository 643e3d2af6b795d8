import type { Command } from '../../../query/engine/command.ts';
import { takeStep } from '../../field-requests/building/steps.ts';
import { onRequest, STEP_OPTIONS, signed, told } from './step.ts';

/** `plat requests release`. */
export const requestsReleaseCommand: Command = {
  name: 'requests release',
  example: 'plat requests release fr_7m3k5q2w4t6y2u5i3o4p2a6s7d --by ada --reason "Somebody else takes it."',
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
