import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('accounts')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('email', 'text', column => column.notNull().unique())
      .addColumn('plan', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .createTable('tokens')
      .addColumn('jti', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('plan', 'text', column => column.notNull())
      .addColumn('issued_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .addColumn('revoked_at', 'bigint')
      .execute();
    await db.schema.createIndex('tokens_by_account').on('tokens').columns(['account_id', 'issued_at']).execute();
  },
} satisfies Migration;
