import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('accounts').addColumn('disabled_at', 'bigint').execute();
    await db.schema.alterTable('accounts').addColumn('sessions_ended_at', 'bigint').execute();
    await db.schema.alterTable('accounts').addColumn('deleted_at', 'bigint').execute();
    await db.schema.alterTable('tokens').addColumn('name', 'text').execute();
    await db.schema.alterTable('tokens').addColumn('key_id', 'text').execute();
    await db.schema.alterTable('tokens').addColumn('last_used_at', 'bigint').execute();
    await db.schema
      .createTable('identities')
      .addColumn('issuer', 'text', column => column.notNull())
      .addColumn('subject', 'text', column => column.notNull())
      .addColumn('account_id', 'text', column => column.notNull().unique().references('accounts.id'))
      .addColumn('email', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('identities_key', ['issuer', 'subject'])
      .execute();
    await db.schema
      .createTable('attempts')
      .addColumn('key', 'text', column => column.primaryKey())
      .addColumn('period', 'bigint', column => column.notNull())
      .addColumn('attempts', 'bigint', column => column.notNull())
      .addColumn('ends_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema.createIndex('attempts_by_age').on('attempts').column('ends_at').execute();
    await db.schema
      .createTable('signing_keys')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('sealed', 'text', column => column.notNull())
      .addColumn('signs_from', 'bigint', column => column.notNull().unique())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .createTable('users')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('email', 'text', column => column.notNull().unique())
      .addColumn('password', 'text')
      .addColumn('verified_at', 'bigint')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .createTable('usage_days')
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('period', 'text', column => column.notNull())
      .addColumn('endpoint', 'text', column => column.notNull())
      .addColumn('day', 'bigint', column => column.notNull())
      .addColumn('requests', 'bigint', column => column.notNull())
      .addColumn('credits', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('usage_days_key', ['account_id', 'period', 'endpoint', 'day'])
      .execute();
    await sql`insert into usage_days (account_id, period, endpoint, day, requests, credits)
      select account_id, period, endpoint, opened_at / 86400000, count(*), sum(spent) from charges
      where state = 'settled' and spent > 0 group by account_id, period, endpoint, opened_at / 86400000`.execute(db);
  },
} satisfies Migration;
