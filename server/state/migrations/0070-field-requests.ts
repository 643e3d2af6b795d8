import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`;
    await db.schema
      .createTable('field_requests')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('key_hash', 'text')
      .addColumn('body_hash', 'text', column => column.notNull())
      .addColumn('body', bytes, column => column.notNull())
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('waiting_on', 'text')
      .addColumn('locations', 'text', column => column.notNull())
      .addColumn('disposition', 'text', column => column.notNull())
      .addColumn('callback', 'text')
      .addColumn('context_blob', 'text')
      .addColumn('build', 'text')
      .addColumn('queued_at', 'bigint')
      .addColumn('estimated_ready_at', 'bigint')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('updated_at', 'bigint', column => column.notNull())
      .addColumn('settled_at', 'bigint')
      .addColumn('scrubbed_at', 'bigint')
      .addUniqueConstraint('field_requests_by_key', ['account_id', 'key_hash'])
      .execute();
    await db.schema
      .createIndex('field_requests_by_status')
      .on('field_requests')
      .columns(['status', 'queued_at', 'id'])
      .execute();
    await db.schema
      .createIndex('field_requests_to_scrub')
      .on('field_requests')
      .columns(['scrubbed_at', 'settled_at'])
      .execute();
    await db.schema
      .createTable('field_request_events')
      .addColumn('request_id', 'text', column => column.notNull().references('field_requests.id').onDelete('cascade'))
      .addColumn('seq', 'integer', column => column.notNull())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('actor', 'text', column => column.notNull())
      .addColumn('from_status', 'text')
      .addColumn('to_status', 'text', column => column.notNull())
      .addColumn('reason', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('field_request_events_key', ['request_id', 'seq'])
      .execute();
  },
} satisfies Migration;
