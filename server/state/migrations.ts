import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Schema changes in the order of their names; one that was released is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_accounts_and_tokens': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('accounts')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('email', 'text', column => column.notNull().unique())
        .addColumn('plan', 'text', column => column.notNull())
        .addColumn('created_at', 'integer', column => column.notNull())
        .execute();
      await db.schema
        .createTable('tokens')
        .addColumn('jti', 'text', column => column.primaryKey())
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('plan', 'text', column => column.notNull())
        .addColumn('issued_at', 'integer', column => column.notNull())
        .addColumn('expires_at', 'integer', column => column.notNull())
        .addColumn('revoked_at', 'integer')
        .execute();
      await db.schema.createIndex('tokens_by_account').on('tokens').columns(['account_id', 'issued_at']).execute();
    },
  },
};
