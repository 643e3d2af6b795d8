import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

/** Schema changes in the order of their names; one that was released is never edited. `bigint` is 64 bits in both databases. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_accounts_and_tokens': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('accounts')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('email', 'text', column => column.notNull().unique())
        .addColumn('plan', 'text', column => column.notNull())
        .addColumn('created_at', 'bigint', column => column.notNull())
        .execute();
      await db.schema
        .createTable('tokens')
        .addColumn('jti', 'text', column => column.primaryKey())
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('plan', 'text', column => column.notNull())
        .addColumn('issued_at', 'bigint', column => column.notNull())
        .addColumn('expires_at', 'bigint', column => column.notNull())
        .addColumn('revoked_at', 'bigint')
        .execute();
      await db.schema.createIndex('tokens_by_account').on('tokens').columns(['account_id', 'issued_at']).execute();
    },
  },
  '0002_credits_idempotency_and_request_windows': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('accounts').addColumn('monthly_credit_limit', 'bigint').execute();
      await db.schema
        .createTable('credit_usage')
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('period', 'text', column => column.notNull())
        .addColumn('spent', 'bigint', column => column.notNull())
        .addColumn('held', 'bigint', column => column.notNull())
        .addPrimaryKeyConstraint('credit_usage_key', ['account_id', 'period'])
        .execute();
      await db.schema
        .createTable('charges')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('period', 'text', column => column.notNull())
        .addColumn('endpoint', 'text', column => column.notNull())
        .addColumn('state', 'text', column => column.notNull())
        .addColumn('reserved', 'bigint', column => column.notNull())
        .addColumn('spent', 'bigint', column => column.notNull())
        .addColumn('opened_at', 'bigint', column => column.notNull())
        .addColumn('expires_at', 'bigint', column => column.notNull())
        .addColumn('settled_at', 'bigint')
        .execute();
      await db.schema.createIndex('charges_by_age').on('charges').column('opened_at').execute();
      await db.schema
        .createIndex('charges_open')
        .on('charges')
        .columns(['account_id', 'expires_at'])
        .where('state' as never, '=', 'open')
        .execute();
      await db.schema
        .createTable('idempotency')
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('endpoint', 'text', column => column.notNull())
        .addColumn('key', 'text', column => column.notNull())
        .addColumn('id', 'text', column => column.notNull())
        .addColumn('body_hash', 'text', column => column.notNull())
        .addColumn('executor', 'text', column => column.notNull())
        .addColumn('lease_until', 'bigint', column => column.notNull())
        .addColumn('expires_at', 'bigint', column => column.notNull())
        .addColumn('response', 'text')
        .addPrimaryKeyConstraint('idempotency_key', ['account_id', 'endpoint', 'key'])
        .execute();
      await db.schema.createIndex('idempotency_by_id').unique().on('idempotency').column('id').execute();
      await db.schema.createIndex('idempotency_by_age').on('idempotency').column('expires_at').execute();
      await db.schema
        .createTable('request_windows')
        .addColumn('account_id', 'text', column => column.primaryKey().references('accounts.id'))
        .addColumn('minute', 'bigint', column => column.notNull())
        .addColumn('requests', 'bigint', column => column.notNull())
        .execute();
    },
  },
  '0003_geocodes': {
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
  },
};

/**
 * Brings the tables up to date. Processes that start together do it once: PostgreSQL by Kysely's advisory lock, SQLite
 * because the caller gives a transaction, which holds the one write lock of the file.
 * @throws whatever a migration throws; nothing of it is kept.
 */
export async function migrate<T>(db: Kysely<T>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
