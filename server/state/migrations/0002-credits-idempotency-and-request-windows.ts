import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
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
} satisfies Migration;
