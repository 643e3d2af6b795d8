import type { JobKind } from '../../jobs/job-kind.ts';

const CONFIRM_MS = 30 * 24 * 3_600_000;

/** Ends what was not confirmed within 30 days: requests by their requesters, and mails by the owners of addresses. */
export const expiryJob: JobKind = {
  name: 'field-request-expiry',
  summary:
    'Lets field requests lapse that waited 30 days for their requester, and mails whose address nobody confirmed.',
  atOnce: 1,
  attempts: 3,
  retryMs: 60_000,
  mostMs: 600_000,
  cron: '41 * * * *',
  async run({ state, clock }) {
    const now = clock.now();
    const reason = 'nobody confirmed it in 30 days';
    const { fieldRequests } = state;
    // A store that is watched gives promises of effects.
    const lapses = await Promise.all([
      ...(await fieldRequests.unanswered(now - CONFIRM_MS)).map(id =>
        fieldRequests.moved({ id, from: ['awaiting_confirm'], to: 'expired', by: 'plat', reason, now }),
      ),
      fieldRequests.lapseDeliveries(now - CONFIRM_MS, now),
    ]);
    return async (tx, changes) => {
      for (const lapse of lapses) await lapse(tx, changes);
    };
  },
};
