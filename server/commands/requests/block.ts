import { type Command, UsageError } from '../../../query/engine/command.ts';
import { requestOf, takeStep } from '../../field-requests/building/steps.ts';
import { requestBlocked } from '../../field-requests/callbacks/news.ts';
import { BLOCKED_CODES, type BlockedCode } from '../../state/field-requests/events.ts';
import { onRequest, STEP_OPTIONS, signed, textOf, told } from './step.ts';

/** `plat requests block`. */
export const requestsBlockCommand: Command = {
  name: 'requests block',
  example:
    'plat requests block fr_7m3k5q2w4t6y2u5i3o4p2a6s7d --code licensing --explanation "The publisher does not allow it." --by ada',
  summary: 'Refuse a field request, with a reason for its requester',
  args: ['<request>'],
  options: [
    { flags: '--code <code>', description: `Why: ${BLOCKED_CODES.join(', ')}.` },
    { flags: '--explanation <text>', description: 'Why, in words for the requester.' },
    { flags: '--counter-offer <text>', description: 'What can be had instead.' },
    ...STEP_OPTIONS,
  ],
  run: ([id], options, terminal) =>
    onRequest(terminal, async state => {
      const code = BLOCKED_CODES.find(one => one === options.code);
      const explanation = textOf(options, 'explanation');
      if (!code) throw new UsageError(`requests block: expected --code ${BLOCKED_CODES.join(', ')}`);
      if (!explanation) throw new UsageError('requests block: expected --explanation, which the requester reads');
      const { build } = await requestOf(state, id!);
      const blocked = {
        code: code satisfies BlockedCode,
        explanation,
        counter_offer: textOf(options, 'counterOffer') ?? null,
      };
      const row = await takeStep(state, {
        ...signed(id!, options, `${code}: ${explanation}`),
        to: 'blocked',
        build: { ...build, outcome: 'BLOCKED', blocked },
        news: requestBlocked,
      });
      return told(terminal, row);
    }),
};
