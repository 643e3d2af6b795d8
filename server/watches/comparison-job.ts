import type { JobKind } from '../jobs/job-kind.ts';
import { jobOf } from '../jobs/job-kind.ts';
import type { NewJob } from '../state/jobs/queue.ts';
import { packed } from '../state/packed-text.ts';
import { watchUncompared } from '../state/watches/records.ts';
import { compareWatch } from './comparison.ts';
import { deliveryOf } from './delivery-job.ts';
import { newsFor, SETTLING_MS } from './due.ts';
import type { WatchSubject } from './subject.ts';

/** The attempt from which on is told what cannot be compared. */
const LAST_PATIENT = 5;

/**
 * Compares the answer of a watch in the release that it was compared with before and in the current one. What is to be told is
 * stored with the end of the job: a process that dies before has told nothing, and another one compares anew.
 */
export const comparisonJob: JobKind<{ readonly watch_id: string }> = {
  name: 'watch-comparison',
  summary: 'Finds out whether a publication changes the answer of a watch.',
  atOnce: 2,
  attempts: 12,
  retryMs: 30_000,
  mostMs: 3_600_000,
  async run(services, { data: { watch_id: id }, attempt, signal }) {
    const { state, engine, clock } = services;
    const watch = await state.watches.work(id);
    const [account] = watch ? await state.accountsOf([watch.accountId]) : [];
    const to = watch && newsFor(engine, watch);
    if (!account || !to || watch.status !== 'active') return watchUncompared(id);
    const { release: from, fields } = watch;
    const seenAt = clock.now() - SETTLING_MS;
    const subject = JSON.parse(watch.subject) as WatchSubject;
    const isLast = attempt >= LAST_PATIENT;
    const event = await compareWatch(services, { id, account, subject, fields }, [from, to], { signal, isLast });
    const payload = event && (await packed(JSON.stringify(event)));
    return state.watches.compared({
      ...{ watchId: id, from, to, seenAt, payload },
      now: clock.now(),
      job: deliveryOf,
    });
  },
  ended: ({ data }) => watchUncompared(data.watch_id),
};

/** The job that compares a watch. */
export const comparisonOf = (id: string, account: string): NewJob =>
  jobOf(comparisonJob, id, { watch_id: id }, account);
