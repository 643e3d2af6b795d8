import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('terms')
      .addColumn('version', 'text', column => column.primaryKey())
      .addColumn('text', 'text', column => column.notNull())
      .addColumn('filed_at', 'bigint', column => column.notNull())
      .execute();
  },
} satisfies Migration;
