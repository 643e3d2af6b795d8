import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('ended_sessions')
      .addColumn('hash', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
    for (const column of ['account_id', 'expires_at'])
      await db.schema.createIndex(`ended_sessions_by_${column}`).on('ended_sessions').column(column).execute();
  },
} satisfies Migration;
