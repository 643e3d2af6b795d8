import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('mail_consents')
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('address', 'text', column => column.notNull())
      .addColumn('confirmed_at', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('mail_consents_key', ['account_id', 'address'])
      .execute();
    await db.schema
      .createTable('mail_stops')
      .addColumn('mailbox', 'text', column => column.primaryKey())
      .addColumn('stopped_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .alterTable('field_requests')
      .addColumn('queue_turn', 'bigint', column => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createIndex('field_requests_open')
      .on('field_requests')
      .column('account_id')
      .where(sql.ref('settled_at'), 'is', null)
      .execute();
  },
} satisfies Migration;
