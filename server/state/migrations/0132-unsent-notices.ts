import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('unsent_notices')
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('day', 'bigint', column => column.notNull())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('notices', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('unsent_notices_key', ['account_id', 'day', 'kind'])
      .execute();
    await db.schema.createIndex('unsent_notices_by_day').on('unsent_notices').column('day').execute();
  },
} satisfies Migration;
