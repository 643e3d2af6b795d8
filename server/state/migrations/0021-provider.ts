import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('provider_records')
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('id', 'text', column => column.notNull())
      .addColumn('sealed', 'text', column => column.notNull())
      .addColumn('uid', 'text')
      .addColumn('user_code', 'text')
      .addColumn('grant_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('consumed_at', 'bigint')
      .addColumn('expires_at', 'bigint')
      .addPrimaryKeyConstraint('provider_records_key', ['kind', 'id'])
      .execute();
    for (const column of ['uid', 'user_code', 'grant_id', 'user_id', 'expires_at'])
      await db.schema.createIndex(`provider_records_by_${column}`).on('provider_records').column(column).execute();
    await db.schema
      .createTable('mail_codes')
      .addColumn('hash', 'text', column => column.primaryKey())
      .addColumn('email', 'text', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema.createIndex('mail_codes_by_age').on('mail_codes').column('expires_at').execute();
    await db.schema.createIndex('mail_codes_by_email').on('mail_codes').column('email').execute();
  },
} satisfies Migration;
