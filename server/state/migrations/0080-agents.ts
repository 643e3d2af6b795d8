import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('onboarding_attempts')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('terms_version', 'text', column => column.notNull())
      .addColumn('terms_sha256', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('code_expires_at', 'bigint', column => column.notNull())
      .addColumn('connected_at', 'bigint')
      .addColumn('token_jti', 'text')
      .addColumn('installed_at', 'bigint')
      .addColumn('verified_at', 'bigint')
      .addColumn('clients', 'text', column => column.notNull())
      .addColumn('skill_installed', 'bigint', column => column.notNull())
      .addColumn('first_call_at', 'bigint')
      .addColumn('first_call', 'text')
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .createIndex('onboarding_attempts_by_account')
      .on('onboarding_attempts')
      .column('account_id')
      .execute();
    await db.schema.createIndex('onboarding_attempts_by_age').on('onboarding_attempts').column('expires_at').execute();
    await db.schema
      .createTable('connect_codes')
      .addColumn('hash', 'text', column => column.primaryKey())
      .addColumn('attempt_id', 'text', column => column.notNull())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .addColumn('used_at', 'bigint')
      .addColumn('forget_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema.createIndex('connect_codes_by_account').on('connect_codes').column('account_id').execute();
    await db.schema.createIndex('connect_codes_by_age').on('connect_codes').column('forget_at').execute();
    await db.schema
      .createTable('device_codes')
      .addColumn('hash', 'text', column => column.primaryKey())
      .addColumn('user_code_hash', 'text', column => column.notNull().unique())
      .addColumn('client', 'text', column => column.notNull())
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('account_id', 'text', column => column.references('accounts.id'))
      .addColumn('interval_ms', 'bigint', column => column.notNull())
      .addColumn('next_poll_at', 'bigint', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema.createIndex('device_codes_by_account').on('device_codes').column('account_id').execute();
    await db.schema.createIndex('device_codes_by_age').on('device_codes').column('expires_at').execute();
  },
} satisfies Migration;
