import type { Kysely, Selectable } from 'kysely';
import type { Callback } from '../field-requests/row.ts';
import type { Effect, JobQueue, NewJob } from '../jobs/queue.ts';
import type { ListPart } from '../lists/list-place.ts';
import { packed, unpacked } from '../packed-text.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import { type WatchDeliveries, watchDeliveriesIn } from './deliveries.ts';

/** Subject of a watch in short: one of them is not null. */
export interface WatchAbout {
  readonly site_id: string | null;
  /** Parcels on the list. */
  readonly parcels: number | null;
  /** Filters of the search. */
  readonly filters: number | null;
}

/** A watch. Instants are epoch milliseconds. */
export interface WatchRow {
  readonly id: string;
  readonly accountId: string;
  readonly status: Tables['watches']['status'];
  readonly fields: readonly string[];
  readonly callback: Callback | null;
  /** That its answer was compared with last. */
  readonly release: string;
  /** When its owner was told something last; null before. */
  readonly toldAt: number | null;
  readonly createdAt: number;
  readonly about: WatchAbout;
}

/** A watch with all that it is about, as JSON text. */
export interface WholeWatch extends WatchRow {
  /** Instant up to which publications were seen. */
  readonly seenAt: number;
  readonly subject: string;
}

/** A watch that a publication may concern. */
export interface DueWatch {
  readonly id: string;
  readonly accountId: string;
  readonly release: string;
  /** Instant up to which publications were seen. */
  readonly seenAt: number;
}

/** A new watch. */
export interface NewWatch extends Omit<WholeWatch, 'status' | 'toldAt' | 'callback'> {
  readonly callback: Callback;
}

export interface WatchRecords extends WatchDeliveries {
  /** Stores a watch. @param most that its account may have. @param job enqueued with it, if any. @returns false when it has as many. */
  add(watch: NewWatch, most: number, job: NewJob | null): Promise<boolean>;
  /** Number of watches of an account. */
  count(accountId: string): Promise<number>;
  /** A watch of the account; null for others. */
  watch(accountId: string, id: string): Promise<WholeWatch | null>;
  /** The newest first. */
  list(accountId: string, part: ListPart): Promise<WatchRow[]>;
  /** Deletes a watch with what is still to be told. @returns whether the account had it. */
  remove(accountId: string, id: string): Promise<boolean>;
  /** A watch, for its jobs; null when it is gone. */
  work(id: string): Promise<WholeWatch | null>;
  /** Watches that were compared with another release and have no job for this one, those that were seen longest ago first. */
  due(release: string, limit: number): Promise<DueWatch[]>;
  /** Enqueues a job that compares a watch with a release, unless one was. @returns whether it did. */
  enqueue(id: string, release: string, job: NewJob): Promise<boolean>;
}

const COLUMNS = [
  'id',
  'account_id',
  'status',
  'fields',
  'callback',
  'release',
  'told_at',
  'created_at',
  'about',
] as const;

type Columns = Pick<Selectable<Tables['watches']>, (typeof COLUMNS)[number]>;

const toWatch = (row: Columns): WatchRow => ({
  id: row.id,
  accountId: row.account_id,
  status: row.status,
  fields: JSON.parse(row.fields) as string[],
  callback: row.callback === null ? null : (JSON.parse(row.callback) as Callback),
  release: row.release,
  toldAt: row.told_at,
  createdAt: row.created_at,
  about: JSON.parse(row.about) as WatchAbout,
});

const toWhole = async (
  row: Columns & { readonly seen_at: number; readonly subject: Uint8Array },
): Promise<WholeWatch> => ({
  ...toWatch(row),
  seenAt: row.seen_at,
  subject: await unpacked(row.subject),
});

/** Watches over any Kysely database. */
export function watchesIn(db: Kysely<Tables>, jobs: JobQueue): WatchRecords {
  const countIn = async (on: Kysely<Tables>, accountId: string) => {
    const { count } = await on
      .selectFrom('watches')
      .select(eb => eb.fn.countAll().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  return {
    ...watchDeliveriesIn(db, jobs),
    async add({ id, accountId, about, subject, fields, callback, release, seenAt, createdAt }, most, job) {
      const bytes = await packed(subject);
      return transact(db, async tx => {
        // Locks the account: two at once would not count each other.
        await tx
          .updateTable('accounts')
          .set(eb => ({ created_at: eb.ref('created_at') }))
          .where('id', '=', accountId)
          .execute();
        if ((await countIn(tx, accountId)) >= most) return false;
        await tx
          .insertInto('watches')
          .values({
            id,
            account_id: accountId,
            status: 'active',
            about: JSON.stringify(about),
            subject: bytes,
            fields: JSON.stringify(fields),
            callback: JSON.stringify(callback),
            release,
            queued: null,
            seen_at: seenAt,
            told_at: null,
            created_at: createdAt,
          })
          .execute();
        if (job) await jobs.enqueueIn(tx, job);
        return true;
      });
    },
    count: accountId => countIn(db, accountId),
    async watch(accountId, id) {
      const row = await db
        .selectFrom('watches')
        .select([...COLUMNS, 'seen_at', 'subject'])
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row ? toWhole(row) : null;
    },
    async list(accountId, { after, limit }) {
      let listed = db
        .selectFrom('watches')
        .select(COLUMNS)
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (after)
        listed = listed.where(eb => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.createdAt, after.id)));
      return (await listed.execute()).map(toWatch);
    },
    async remove(accountId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('watches')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
    async work(id) {
      const row = await db
        .selectFrom('watches')
        .select([...COLUMNS, 'seen_at', 'subject'])
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? toWhole(row) : null;
    },
    async due(release, limit) {
      const rows = await db
        .selectFrom('watches')
        .select(['id', 'account_id', 'release', 'seen_at'])
        .where('status', '=', 'active')
        .where('release', '!=', release)
        .where(eb => eb.or([eb('queued', 'is', null), eb('queued', '!=', release)]))
        .orderBy('seen_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(row => ({ id: row.id, accountId: row.account_id, release: row.release, seenAt: row.seen_at }));
    },
    enqueue: (id, release, job) =>
      transact(db, async tx => {
        const row = await tx
          .updateTable('watches')
          .set({ queued: release })
          .where('id', '=', id)
          .where('status', '=', 'active')
          .where(eb => eb.or([eb('queued', 'is', null), eb('queued', '!=', release)]))
          .returning('id')
          .executeTakeFirst();
        if (row) await jobs.enqueueIn(tx, job);
        return row !== undefined;
      }),
  };
}

/** The effect of a comparison that was not made: another one is enqueued where a publication still concerns the watch. */
export const watchUncompared =
  (id: string): Effect =>
  async tx => {
    await tx.updateTable('watches').set({ queued: null }).where('id', '=', id).execute();
  };
