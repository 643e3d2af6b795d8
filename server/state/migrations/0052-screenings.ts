import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Screenings became jobs: who screens a site, and how often that was begun, is the queue's to know. */
export default {
  async up(db: Kysely<{ sites: { status: string; error: string | null } }>) {
    // Nothing would ever screen these: being registered again, they get their job.
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
