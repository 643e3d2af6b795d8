import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('geocodes')
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('address_hash', 'text', column => column.notNull())
      .addColumn('version', 'text', column => column.notNull())
      .addColumn('answer', 'text', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('geocodes_key', ['account_id', 'address_hash'])
      .execute();
    await db.schema.createIndex('geocodes_by_age').on('geocodes').column('expires_at').execute();
    await db.schema
      .createTable('geocode_lookups')
      .addColumn('period', 'text', column => column.primaryKey())
      .addColumn('lookups', 'bigint', column => column.notNull())
      .execute();
  },
} satisfies Migration;
