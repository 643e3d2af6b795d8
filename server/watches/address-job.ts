import { askAddress } from '../field-requests/callbacks/question.ts';
import type { JobKind } from '../jobs/job-kind.ts';

/** Asks an address that a watch names whether it wants the news, so that the first of them need not wait for the answer. */
export const addressJob: JobKind<{ readonly watch_id: string }> = {
  name: 'watch-address',
  summary: 'Asks the address of a watch whether it wants to be told.',
  atOnce: 1,
  attempts: 5,
  retryMs: 30_000,
  mostMs: 3_600_000,
  async run(services, { data }) {
    const watch = await services.state.watches.work(data.watch_id);
    const email = watch?.callback?.email;
    if (!watch || email === undefined) return undefined;
    const standing = await services.state.fieldRequests.mailStanding(watch.accountId, email);
    // A limit that is used up is no fault: the first message asks again.
    if (standing === 'unconfirmed') await askAddress(services, watch.accountId, email);
    return undefined;
  },
};
