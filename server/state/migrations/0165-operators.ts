import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Accounts whose owners see how the installation stands; null for all others. */
export default {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('accounts').addColumn('operator_since', 'bigint').execute();
  },
} satisfies Migration;
