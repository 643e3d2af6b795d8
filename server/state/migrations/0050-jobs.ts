import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('jobs')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('key', 'text')
      .addColumn('data', 'text', column => column.notNull())
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('attempt', 'integer', column => column.notNull())
      .addColumn('last_attempt', 'integer', column => column.notNull())
      .addColumn('retry_ms', 'bigint', column => column.notNull())
      .addColumn('most_ms', 'bigint', column => column.notNull())
      .addColumn('start_after', 'bigint', column => column.notNull())
      .addColumn('token', 'text')
      .addColumn('lease_until', 'bigint', column => column.notNull())
      .addColumn('done', 'integer')
      .addColumn('total', 'integer')
      .addColumn('error', 'text')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('started_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('jobs_by_key')
      .unique()
      .on('jobs')
      .columns(['kind', 'key'])
      .where(sql.ref('status'), 'in', ['waiting', 'running'])
      .execute();
    await db.schema.createIndex('jobs_to_begin').on('jobs').columns(['kind', 'status', 'start_after']).execute();
    await db.schema.createIndex('jobs_by_age').on('jobs').column('created_at').execute();
    await db.schema
      .createTable('job_schedules')
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('key', 'text', column => column.notNull())
      .addColumn('cron', 'text', column => column.notNull())
      .addColumn('job', 'text', column => column.notNull())
      .addColumn('next_at', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('job_schedules_key', ['kind', 'key'])
      .execute();
  },
} satisfies Migration;
