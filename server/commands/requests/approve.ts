import { type Command, UsageError } from '../../../query/engine/command.ts';
import { requestOf, takeStep } from '../../field-requests/building/steps.ts';
import { onRequest, STEP_OPTIONS, signed, textOf, told } from './step.ts';

/** `plat requests approve`. */
export const requestsApproveCommand: Command = {
  name: 'requests approve',
  example: 'plat requests approve fr_7m3k5q2w4t6y2u5i3o4p2a6s7d --by grace',
  summary: 'Let a reviewed field be published: DONE, or with a caveat SHIP_LOW_CONFIDENCE',
  args: ['<request>'],
  options: [
    { flags: '--low-confidence', description: 'Ship it with low confidence; takes a caveat.' },
    { flags: '--caveat <text>', description: 'What a citation of the value must say.' },
    ...STEP_OPTIONS,
  ],
  run: ([id], options, terminal) =>
    onRequest(terminal, async state => {
      const caveat = textOf(options, 'caveat') ?? null;
      const low = options.lowConfidence === true;
      if (low !== (caveat !== null))
        throw new UsageError('requests approve: expected --low-confidence and --caveat together, or neither');
      const { build } = await requestOf(state, id!);
      const outcome = low ? 'SHIP_LOW_CONFIDENCE' : 'DONE';
      const row = await takeStep(state, {
        ...signed(id!, options, `approved as ${outcome}`),
        to: 'approved',
        build: { ...build, outcome, caveat },
      });
      return told(terminal, row);
    }),
};
