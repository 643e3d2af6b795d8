import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('routing_calculations')
      .addColumn('period', 'text', column => column.primaryKey())
      .addColumn('calculations', 'bigint', column => column.notNull())
      .execute();
  },
} satisfies Migration;
