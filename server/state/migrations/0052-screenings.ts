import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Screenings became jobs: the queue now knows who screens a site, and how often that was started. */
export default {
  async up(db: Kysely<{ sites: { status: string; error: string | null } }>) {
    // Nothing would screen these any more. They get a job when they are registered again.
    await db
      .updateTable('sites')
      .set({ status: 'failed', error: 'its screening was interrupted by an update of the server' })
      .where('status', '=', 'building')
      .execute();
    await db.schema.dropIndex('sites_to_screen').execute();
    for (const column of ['executor', 'lease_until', 'attempts'])
      await db.schema.alterTable('sites').dropColumn(column).execute();
  },
} satisfies Migration;
