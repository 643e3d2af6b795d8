import type { Command } from '../../../query/engine/command.ts';
import { acceptCorrection } from '../../corrections/review.ts';
import { BY_OPTION, signed, takenStep } from './step.ts';

/** `plat corrections accept`. */
export const correctionsAcceptCommand: Command = {
  name: 'corrections accept',
  example: 'plat corrections accept cor_7m3k5q2w4t6y2u5i3o4p2a6s7d --reason "The permit says so." --by ada',
  summary: 'Let answers tell a correction, on every server, until its source says the same',
  args: ['<correction>'],
  options: [
    { flags: '--reason <text>', description: 'Why, in words for its filer.', fallback: 'The evidence bears it out.' },
    BY_OPTION,
  ],
  run: ([id], options, terminal) =>
    takenStep(terminal, async state => {
      const { catalog } = await import('../../../datasets/catalog.ts');
      return acceptCorrection(state, catalog, signed(id!, options, 'accepted'));
    }),
};
