import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Charges tell which token or agent asked. Those of before, and those of browser sessions, have ''. */
export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('charges')
      .addColumn('grant_id', 'text', column => column.notNull().defaultTo(''))
      .execute();
    // SQLite cannot change the key of a table.
    await db.schema
      .createTable('usage_days_of_grants')
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('period', 'text', column => column.notNull())
      .addColumn('endpoint', 'text', column => column.notNull())
      .addColumn('day', 'bigint', column => column.notNull())
      .addColumn('grant_id', 'text', column => column.notNull().defaultTo(''))
      .addColumn('requests', 'bigint', column => column.notNull())
      .addColumn('credits', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('usage_days_of_grants_key', ['account_id', 'period', 'endpoint', 'day', 'grant_id'])
      .execute();
    await sql`insert into usage_days_of_grants (account_id, period, endpoint, day, requests, credits)
      select account_id, period, endpoint, day, requests, credits from usage_days`.execute(db);
    await db.schema.dropTable('usage_days').execute();
    await db.schema.alterTable('usage_days_of_grants').renameTo('usage_days').execute();
  },
} satisfies Migration;
