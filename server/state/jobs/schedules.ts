import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import { nextDue } from './next-due.ts';
import type { JobQueue, NewJob } from './queue.ts';

/** Schedules of a queue, a row each. The transaction that enqueues due jobs also sets their next time. */
export function schedulesIn(
  db: Kysely<Tables>,
  enqueueIn: JobQueue['enqueueIn'],
): Pick<JobQueue, 'schedule' | 'unschedule' | 'enqueueDue'> {
  return {
    async schedule(job, cron, now) {
      const next = nextDue(cron, now);
      const text = JSON.stringify(job);
      await db
        .insertInto('job_schedules')
        .values({ kind: job.kind, key: job.key, cron, job: text, next_at: next })
        .onConflict(conflict =>
          conflict.columns(['kind', 'key']).doUpdateSet(row => ({
            job: text,
            cron,
            // An unchanged schedule keeps its next time.
            next_at: row
              .case()
              .when('job_schedules.cron', '=', cron)
              .then(row.ref('job_schedules.next_at'))
              .else(next)
              .end(),
          })),
        )
        .execute();
    },
    async unschedule(kind, key) {
      await db.deleteFrom('job_schedules').where('kind', '=', kind).where('key', '=', key).execute();
    },
    async enqueueDue(now) {
      const due = await db.selectFrom('job_schedules').selectAll().where('next_at', '<=', now).execute();
      const kinds: string[] = [];
      for (const { kind, key, cron, job, next_at } of due) {
        const added = await transact(db, async tx => {
          const mine = await tx
            .updateTable('job_schedules')
            .set({ next_at: nextDue(cron, now) })
            .where('kind', '=', kind)
            .where('key', '=', key)
            .where('next_at', '=', next_at)
            .returning('kind')
            .executeTakeFirst();
          if (!mine) return false;
          await enqueueIn(tx, JSON.parse(job) as NewJob);
          return true;
        });
        if (added) kinds.push(kind);
      }
      return kinds;
    },
  };
}
