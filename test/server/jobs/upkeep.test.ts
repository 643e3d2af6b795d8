import { describe, expect, it } from 'vitest';
import { JOB_KINDS } from '../../../server/job-kinds.ts';
import { jobOf } from '../../../server/jobs/job-kind.ts';
import { Watch } from '../../../server/state/outage/watch.ts';
import { watchedStore } from '../../../server/state/outage/watched-store.ts';
import { openSqlite } from '../../../server/state/sqlite.ts';
import { doNext, servicesOf } from '../field-requests/working.ts';
import { openFixture } from '../service-fixture.ts';

describe('upkeep', () => {
  it.each(JOB_KINDS.filter(({ cron }) => cron !== undefined))(
    'ends well on the store that a server opens, under its watch: $name',
    async kind => {
      const watch = new Watch({ error: () => {}, warn: () => {} });
      const state = watchedStore(await openSqlite(':memory:'), watch);
      await using fixture = await openFixture({ state });
      await state.jobs.enqueue(jobOf(kind, 'schedule', {}, null));
      expect(await doNext(servicesOf(fixture), kind)).toMatchObject({ status: 'done' });
    },
  );
});
