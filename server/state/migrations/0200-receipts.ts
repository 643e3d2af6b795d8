import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Receipts of answers, and the keys that sign them. */
export default {
  async up(db: Kysely<unknown>) {
    const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`;
    await db.schema
      .createTable('receipts')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('document', bytes, column => column.notNull())
      .addColumn('bytes', 'integer', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema.createIndex('receipts_by_age').on('receipts').column('expires_at').execute();
    await db.schema.createIndex('receipts_by_account').on('receipts').columns(['account_id', 'created_at']).execute();
    await db.schema
      .createTable('receipt_bytes')
      .addColumn('account_id', 'text', column => column.primaryKey().references('accounts.id'))
      .addColumn('bytes', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .createTable('receipt_keys')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('public_key', 'text', column => column.notNull())
      .addColumn('sealed', 'text')
      .addColumn('signs_from', 'bigint', column => column.notNull())
      .addColumn('signed_until', 'bigint')
      .execute();
  },
} satisfies Migration;
