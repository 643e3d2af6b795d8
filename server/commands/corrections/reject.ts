import { type Command, UsageError } from '../../../query/engine/command.ts';
import { takeStep } from '../../corrections/review.ts';
import { BY_OPTION, signed, takenStep, textOf } from './step.ts';

/** `plat corrections reject`. */
export const correctionsRejectCommand: Command = {
  name: 'corrections reject',
  example: 'plat corrections reject cor_7m3k5q2w4t6y2u5i3o4p2a6s7d --reason "The permit is of the house next door."',
  summary: 'Refuse a correction, also one that was accepted before: answers tell the source again',
  args: ['<correction>'],
  options: [{ flags: '--reason <text>', description: 'Why, in words for its filer.' }, BY_OPTION],
  run: ([id], options, terminal) => {
    const reason = textOf(options, 'reason');
    if (reason === undefined) throw new UsageError('corrections reject: expected --reason, which its filer reads');
    return takenStep(terminal, state => takeStep(state, 'rejected', signed(id!, options, reason)));
  },
};
