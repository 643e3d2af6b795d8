import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The release that the result of a run came from; null before there is one, and of runs of earlier versions. */
export default {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('runs').addColumn('release', 'text').execute();
  },
} satisfies Migration;
