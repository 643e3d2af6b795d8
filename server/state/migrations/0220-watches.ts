import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Watches, and what their owners are told. */
export default {
  async up(db: Kysely<unknown>) {
    const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`;
    await db.schema
      .createTable('watches')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('about', 'text', column => column.notNull())
      .addColumn('subject', bytes, column => column.notNull())
      .addColumn('fields', 'text', column => column.notNull())
      .addColumn('callback', 'text')
      .addColumn('release', 'text', column => column.notNull())
      .addColumn('queued', 'text')
      .addColumn('seen_at', 'bigint', column => column.notNull())
      .addColumn('told_at', 'bigint')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .createIndex('watches_by_account')
      .on('watches')
      .columns(['account_id', 'created_at', 'id'])
      .execute();
    await db.schema.createIndex('watches_by_turn').on('watches').columns(['seen_at', 'id']).execute();
    await db.schema
      .createTable('watch_deliveries')
      .addColumn('watch_id', 'text', column => column.notNull().references('watches.id').onDelete('cascade'))
      .addColumn('release', 'text', column => column.notNull())
      .addColumn('channel', 'text', column => column.notNull())
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('payload', bytes, column => column.notNull())
      .addColumn('error', 'text')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('begun_at', 'bigint', column => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addPrimaryKeyConstraint('watch_deliveries_key', ['watch_id', 'release', 'channel'])
      .execute();
    await db.schema.createIndex('watch_deliveries_by_age').on('watch_deliveries').column('created_at').execute();
  },
} satisfies Migration;
