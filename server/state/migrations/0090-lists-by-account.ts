import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    for (const table of ['runs', 'field_requests'])
      await db.schema
        .createIndex(`${table}_by_account`)
        .on(table)
        .columns(['account_id', 'created_at', 'id'])
        .execute();
  },
} satisfies Migration;
