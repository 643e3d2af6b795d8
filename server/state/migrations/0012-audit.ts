import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('audit')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('actor', 'text', column => column.notNull())
      .addColumn('action', 'text', column => column.notNull())
      .addColumn('account_id', 'text')
      .addColumn('subject', 'text')
      .addColumn('detail', 'text', column => column.notNull())
      .execute();
    await db.schema.createIndex('audit_by_age').on('audit').column('at').execute();
    await db.schema.createIndex('audit_by_account').on('audit').columns(['account_id', 'at']).execute();
  },
} satisfies Migration;
