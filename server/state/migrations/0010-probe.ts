import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('probe')
      .addColumn('id', 'integer', column => column.primaryKey())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('filler', 'text', column => column.notNull())
      .execute();
  },
} satisfies Migration;
