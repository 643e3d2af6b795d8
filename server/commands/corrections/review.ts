import type { Command } from '../../../query/engine/command.ts';
import { takeStep } from '../../corrections/review.ts';
import { BY_OPTION, signed, takenStep } from './step.ts';

/** `plat corrections review`. */
export const correctionsReviewCommand: Command = {
  name: 'corrections review',
  example: 'plat corrections review cor_7m3k5q2w4t6y2u5i3o4p2a6s7d --by ada',
  summary: 'Say that somebody looks at a correction',
  args: ['<correction>'],
  options: [BY_OPTION],
  run: ([id], options, terminal) =>
    takenStep(terminal, state => takeStep(state, 'in_review', signed(id!, options, 'looked at'))),
};
