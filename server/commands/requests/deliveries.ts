import { type Command, type Terminal, UsageError } from '../../../query/engine/command.ts';
import { deliveryJob, deliveryKey } from '../../field-requests/callbacks/delivery-job.ts';
import { deliveryOf } from '../../field-requests/callbacks/news.ts';
import type { DeliveryRow } from '../../state/field-requests/deliveries.ts';
import { CHANNELS, type DeliveryId, EVENT_TYPES } from '../../state/field-requests/events.ts';
import type { StateStore } from '../../state/store.ts';
import { withState } from '../open-state.ts';
import { iso } from './row.ts';

const STATUSES = ['waiting', 'held', 'delivered', 'failed', 'ended'] as const;

/** @throws UsageError for what names no delivery. */
function idOf(text: string): DeliveryId {
  const [request_id = '', event = '', way = ''] = text.split(':');
  const event_type = EVENT_TYPES.find(one => one === event);
  const channel = CHANNELS.find(one => one === way);
  if (!event_type || !channel)
    throw new UsageError('requests deliveries: expected --send with a delivery as it is listed, REQUEST:EVENT:CHANNEL');
  return { request_id, event_type, channel };
}

/** What is known of one that waits is known by its job. */
async function shownOf(state: StateStore, row: DeliveryRow) {
  const key = deliveryKey(row);
  const [job] = row.status === 'waiting' ? await state.jobs.jobs({ kind: deliveryJob.name, key, limit: 1 }) : [];
  return {
    delivery: key,
    status: row.status,
    attempts: job?.attempt ?? null,
    error: row.error ?? job?.error ?? null,
    created_at: iso(row.createdAt),
    next_at: job?.status === 'waiting' ? iso(job.startAfter) : null,
    ended_at: iso(row.endedAt),
  };
}

async function send(state: StateStore, text: string, terminal: Terminal): Promise<number> {
  const id = idOf(text);
  if (!(await state.fieldRequests.resend(id, deliveryOf, Date.now())))
    throw new UsageError(`requests deliveries: ${text} is no delivery, or it waits to be sent`);
  terminal.err(`${text} waits to be sent again, to where its request wants it now`);
  return 0;
}

/** `plat requests deliveries`. */
export const requestsDeliveriesCommand: Command = {
  name: 'requests deliveries',
  example: 'plat requests deliveries fr_7m3k5q2w4t6y2u5i3o4p2a6s7d',
  summary: 'List what requesters were told and what did not arrive, the newest first; or send one again',
  args: ['[request]'],
  options: [
    {
      flags: '--status <status>',
      description: `Only ${STATUSES.join(', ')}; held ones wait until their address is confirmed, failed ones are dead letters.`,
    },
    { flags: '--send <delivery>', description: 'Send this one again, REQUEST:EVENT:CHANNEL.' },
    { flags: '--limit <number>', description: 'At most so many.', fallback: '50' },
  ],
  run: ([requestId], { status, send: again, limit }, terminal) =>
    withState(async state => {
      if (typeof again === 'string') return send(state, again, terminal);
      const only = STATUSES.find(one => one === status);
      if (status !== undefined && !only)
        throw new UsageError(`requests deliveries: expected --status ${STATUSES.join(', ')}`);
      const most = Number(limit);
      if (!Number.isInteger(most) || most < 1 || most > 10_000)
        throw new UsageError('requests deliveries: expected --limit from 1 to 10000');
      const rows = await state.fieldRequests.deliveries({
        limit: most,
        ...(requestId === undefined ? {} : { requestId }),
        ...(only ? { status: only } : {}),
      });
      const shown = await Promise.all(rows.map(row => shownOf(state, row)));
      if (terminal.json) terminal.out(JSON.stringify({ deliveries: shown }));
      else if (shown.length === 0) terminal.err('There are no such deliveries');
      else
        for (const { delivery, status: now, attempts, error, created_at, next_at } of shown)
          terminal.out(
            `${delivery}  ${now}${attempts ? ` after ${attempts} attempts` : ''}  since ${created_at}${next_at ? `, next at ${next_at}` : ''}${error ? `  ${error}` : ''}`,
          );
      return 0;
    }),
};
