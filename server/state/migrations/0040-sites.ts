import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`;
    await db.schema
      .createTable('sites')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('geometry', bytes, column => column.notNull())
      .addColumn('acres', 'double precision', column => column.notNull())
      .addColumn('extent', 'text', column => column.notNull())
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('wanted', 'text', column => column.notNull())
      .addColumn('release', 'text')
      .addColumn('dossier', bytes)
      .addColumn('built_at', 'bigint')
      .addColumn('error', 'text')
      .addColumn('executor', 'text')
      .addColumn('lease_until', 'bigint', column => column.notNull())
      .addColumn('attempts', 'integer', column => column.notNull())
      .addColumn('registered_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema.createIndex('sites_by_age').on('sites').column('expires_at').execute();
    await db.schema.createIndex('sites_to_screen').on('sites').columns(['status', 'lease_until']).execute();
    await db.schema
      .createTable('site_registrations')
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('site_id', 'text', column => column.notNull().references('sites.id').onDelete('cascade'))
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('site_registrations_key', ['account_id', 'site_id'])
      .execute();
    await db.schema.createIndex('site_registrations_by_age').on('site_registrations').column('expires_at').execute();
    await db.schema.createIndex('site_registrations_by_site').on('site_registrations').column('site_id').execute();
  },
} satisfies Migration;
