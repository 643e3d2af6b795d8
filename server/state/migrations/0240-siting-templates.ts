import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Templates of siting that accounts made. */
export default {
  async up(db: Kysely<unknown>) {
    const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`;
    await db.schema
      .createTable('siting_templates')
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('body', bytes, column => column.notNull())
      .addColumn('changed_at', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('siting_templates_key', ['account_id', 'name'])
      .execute();
  },
} satisfies Migration;
