import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Corrections of values, their steps, and those that answers tell. */
export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('corrections')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('field', 'text', column => column.notNull())
      .addColumn('value', 'text', column => column.notNull())
      .addColumn('place', 'text', column => column.notNull())
      .addColumn('evidence', 'text', column => column.notNull())
      .addColumn('said', 'text', column => column.notNull())
      .addColumn('callback', 'text')
      .addColumn('reason', 'text')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('updated_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .createIndex('corrections_by_account')
      .on('corrections')
      .columns(['account_id', 'created_at'])
      .execute();
    await db.schema.createIndex('corrections_by_status').on('corrections').columns(['status', 'created_at']).execute();
    await db.schema
      .createTable('correction_events')
      .addColumn('correction_id', 'text', column => column.notNull().references('corrections.id').onDelete('cascade'))
      .addColumn('seq', 'integer', column => column.notNull())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('actor', 'text', column => column.notNull())
      .addColumn('from_status', 'text')
      .addColumn('to_status', 'text', column => column.notNull())
      .addColumn('reason', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('correction_events_key', ['correction_id', 'seq'])
      .execute();
    await db.schema
      .createTable('accepted_corrections')
      .addColumn('correction_id', 'text', column => column.primaryKey())
      .addColumn('field', 'text', column => column.notNull())
      .addColumn('place_key', 'text', column => column.notNull())
      .addColumn('entry', 'text', column => column.notNull())
      .addColumn('accepted_at', 'bigint', column => column.notNull())
      .addColumn('checked_release', 'text')
      .addUniqueConstraint('accepted_corrections_by_place', ['field', 'place_key'])
      .execute();
  },
} satisfies Migration;
