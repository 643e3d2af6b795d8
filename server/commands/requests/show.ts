import type { Command } from '../../../query/engine/command.ts';
import { visibleText } from '../../../query/format/plain-text.ts';
import { requestOf } from '../../field-requests/building/steps.ts';
import { deliveryKey } from '../../field-requests/callbacks/delivery-job.ts';
import { recordOf } from '../../field-requests/reading.ts';
import { iso } from './row.ts';
import { onRequest } from './step.ts';

/** `plat requests show`. */
export const requestsShowCommand: Command = {
  name: 'requests show',
  example: 'plat requests show fr_7m3k5q2w4t6y2u5i3o4p2a6s7d',
  summary: 'Show one field request: what was asked, what became of it, step by step, and what its requester was told',
  args: ['<request>'],
  options: [],
  run: ([id], _options, terminal) =>
    onRequest(terminal, async state => {
      const row = await requestOf(state, id!);
      const shown = {
        ...recordOf(row),
        request: await state.fieldRequests.body<object>(row.id),
        callback: row.callback,
        build: row.build,
        scrubbed_at: iso(row.scrubbedAt),
        steps: (await state.fieldRequests.events(row.id)).map(({ at, actor, from, to, reason }) => ({
          at: iso(at),
          by: actor,
          from,
          to,
          reason,
        })),
        deliveries: (await state.fieldRequests.deliveries({ requestId: row.id, limit: 100 })).map(delivery => ({
          delivery: deliveryKey(delivery),
          status: delivery.status,
          error: delivery.error,
        })),
      };
      // The words are a stranger's: some characters would move what a terminal shows.
      terminal.out(visibleText(terminal.json ? JSON.stringify(shown) : JSON.stringify(shown, null, 2)));
      return 0;
    }),
};
