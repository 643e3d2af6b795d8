import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../tables.ts';
import { dropOrphans } from './pieces.ts';

/** An upload without its rows. Times are epoch milliseconds. */
export interface UploadRow {
  readonly id: string;
  readonly accountId: string;
  readonly kind: Tables['uploads']['kind'];
  readonly rows: number;
  readonly columns: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Lists of places that accounts sent, for a day. Their rows are pieces. */
export interface UploadRecords {
  add(upload: UploadRow): Promise<void>;
  /** An upload of the account; null when it is another's, unknown or has expired. */
  upload(accountId: string, id: string, now: number): Promise<UploadRow | null>;
  /** Keeps an upload at least until a moment. */
  keepUntil(id: string, expiresAt: number): Promise<void>;
  /** Deletes what has expired. @returns how many. */
  prune(now: number): Promise<number>;
}

/** Uploads that are deleted at once, with all their rows. */
const PRUNED = 5;

const toUpload = (row: Selectable<Tables['uploads']>): UploadRow => ({
  id: row.id,
  accountId: row.account_id,
  kind: row.kind,
  rows: row.rows,
  columns: JSON.parse(row.columns) as string[],
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/** Uploads over any Kysely database. */
export function uploadsIn(db: Kysely<Tables>): UploadRecords {
  return {
    async add({ id, accountId, kind, rows, columns, createdAt, expiresAt }) {
      await db
        .insertInto('uploads')
        .values({
          id,
          account_id: accountId,
          kind,
          rows,
          columns: JSON.stringify(columns),
          created_at: createdAt,
          expires_at: expiresAt,
        })
        .execute();
    },
    async upload(accountId, id, now) {
      const row = await db
        .selectFrom('uploads')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row ? toUpload(row) : null;
    },
    async keepUntil(id, expiresAt) {
      await db
        .updateTable('uploads')
        .set({ expires_at: expiresAt })
        .where('id', '=', id)
        .where('expires_at', '<', expiresAt)
        .execute();
    },
    async prune(now) {
      const old = await db.selectFrom('uploads').select('id').where('expires_at', '<=', now).limit(PRUNED).execute();
      const ids = old.map(({ id }) => id);
      await dropOrphans(db, ids);
      if (ids.length > 0) await db.deleteFrom('uploads').where('id', 'in', ids).execute();
      return ids.length;
    },
  };
}
