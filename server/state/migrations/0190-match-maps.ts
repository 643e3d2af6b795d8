import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Maps of all parcels that pass filters, for an hour. */
export default {
  async up(db: Kysely<unknown>) {
    const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`;
    await db.schema
      .createTable('match_maps')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.references('accounts.id'))
      .addColumn('release', 'text', column => column.notNull())
      .addColumn('filters', bytes, column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema.createIndex('match_maps_by_age').on('match_maps').column('expires_at').execute();
    await db.schema
      .createIndex('match_maps_by_account')
      .on('match_maps')
      .columns(['account_id', 'created_at'])
      .execute();
  },
} satisfies Migration;
