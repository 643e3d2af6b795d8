import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export default {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('tokens')
      .addColumn('kind', 'text', column => column.notNull().defaultTo('token'))
      .execute();
    // Until now the name alone told such tokens apart.
    await sql`update tokens set kind = 'device' where name = 'Device login'
      or jti in (select token_jti from onboarding_attempts where token_jti is not null)`.execute(db);
    await db.schema.alterTable('provider_records').addColumn('last_used_at', 'bigint').execute();
  },
} satisfies Migration;
