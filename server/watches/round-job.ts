import type { JobKind } from '../jobs/job-kind.ts';
import { comparisonOf } from './comparison-job.ts';
import { newsFor } from './due.ts';

/** Watches that are looked at together. */
const PORTION = 200;

/** Looks every minute whether a release was published, and has all watches compared that it may concern, accounts in turn. */
export const roundJob: JobKind = {
  name: 'watch-round',
  summary: 'Finds the watches that a publication may concern.',
  atOnce: 1,
  attempts: 1,
  retryMs: 1_000,
  mostMs: 1_000,
  cron: '* * * * *',
  async run({ state, engine }, { signal }) {
    const { release } = engine.status();
    if (release === null) return undefined;
    for (;;) {
      signal.throwIfAborted();
      const due = await state.watches.due(release, PORTION);
      const concerned = due.filter(watch => newsFor(engine, watch) === release);
      for (const { id, accountId } of concerned) await state.watches.enqueue(id, release, comparisonOf(id, accountId));
      if (concerned.length < PORTION) return undefined;
    }
  },
};
