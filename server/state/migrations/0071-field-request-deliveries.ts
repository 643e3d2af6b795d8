import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('field_request_deliveries')
      .addColumn('request_id', 'text', column => column.notNull().references('field_requests.id').onDelete('cascade'))
      .addColumn('event_type', 'text', column => column.notNull())
      .addColumn('channel', 'text', column => column.notNull())
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('payload', 'text', column => column.notNull())
      .addColumn('error', 'text')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('begun_at', 'bigint', column => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addPrimaryKeyConstraint('field_request_deliveries_key', ['request_id', 'event_type', 'channel'])
      .execute();
    await db.schema
      .createIndex('field_request_deliveries_by_status')
      .on('field_request_deliveries')
      .columns(['status', 'created_at'])
      .execute();
  },
} satisfies Migration;
