import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('jobs').addColumn('account_id', 'text').execute();
    await db.schema.dropIndex('jobs_to_begin').execute();
    // Holds all that tells whose turn it is, so that no waiting job is read but the one that is claimed.
    await db.schema
      .createIndex('jobs_to_claim')
      .on('jobs')
      .columns(['kind', 'status', 'account_id', 'start_after', 'lease_until'])
      .execute();
    await db.schema
      .createTable('job_turns')
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('account', 'text', column => column.notNull())
      .addColumn('turn', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('job_turns_key', ['kind', 'account'])
      .execute();
  },
} satisfies Migration;
