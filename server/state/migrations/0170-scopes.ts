import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Scopes and budgets of tokens. Those of before keep all scopes, which null stands for, and have no budget. */
export default {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('tokens').addColumn('scopes', 'text').execute();
    await db.schema.alterTable('tokens').addColumn('credits_a_day', 'bigint').execute();
    await db.schema
      .createTable('grant_spending')
      .addColumn('grant_id', 'text', column => column.notNull())
      .addColumn('day', 'bigint', column => column.notNull())
      .addColumn('credits', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('grant_spending_of_day', ['grant_id', 'day'])
      .execute();
  },
} satisfies Migration;
