import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Uploads, exports and their bytes. */
export default {
  async up(db: Kysely<unknown>) {
    const bytes = db.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`;
    await db.schema
      .createTable('uploads')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('rows', 'integer', column => column.notNull())
      .addColumn('columns', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema.createIndex('uploads_by_age').on('uploads').column('expires_at').execute();
    await db.schema.createIndex('uploads_by_account').on('uploads').column('account_id').execute();
    await db.schema
      .createTable('exports')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('request', bytes, column => column.notNull())
      .addColumn('work', bytes, column => column.notNull())
      .addColumn('reservation', 'text')
      .addColumn('done', 'integer', column => column.notNull())
      .addColumn('total', 'integer', column => column.notNull())
      .addColumn('parts', 'integer', column => column.notNull())
      .addColumn('place', 'text')
      .addColumn('counts', 'text', column => column.notNull())
      .addColumn('warnings', 'text', column => column.notNull())
      .addColumn('cost', 'bigint', column => column.notNull())
      .addColumn('files', 'text')
      .addColumn('release', 'text')
      .addColumn('error', 'text')
      .addColumn('day', 'integer', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('updated_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema.createIndex('exports_by_age').on('exports').column('expires_at').execute();
    await db.schema
      .createIndex('exports_by_account')
      .on('exports')
      .columns(['account_id', 'created_at', 'id'])
      .execute();
    await db.schema.createIndex('exports_by_day').on('exports').columns(['account_id', 'day']).execute();
    await db.schema
      .createTable('stored_pieces')
      .addColumn('account_id', 'text', column => column.notNull())
      .addColumn('owner_id', 'text', column => column.notNull())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('number', 'integer', column => column.notNull())
      .addColumn('bytes', bytes, column => column.notNull())
      .addPrimaryKeyConstraint('stored_pieces_in_order', ['owner_id', 'name', 'number'])
      .execute();
    await db.schema.createIndex('stored_pieces_by_account').on('stored_pieces').column('account_id').execute();
  },
} satisfies Migration;
