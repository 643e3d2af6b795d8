import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** A record of the embedded provider: a running sign-in, session, grant or code. Times are epoch milliseconds. */
export interface ProviderRecord {
  readonly kind: string;
  /** Digest of the provider's id for it. Whoever has that id may use the record. */
  readonly id: string;
  readonly sealed: string;
  readonly uid: string | null;
  readonly userCode: string | null;
  readonly grantId: string | null;
  /** The user that signed in. */
  readonly userId: string | null;
  readonly consumedAt: number | null;
  readonly expiresAt: number | null;
}

export interface ProviderRecords {
  put(record: Omit<ProviderRecord, 'consumedAt'>): Promise<void>;
  find(kind: string, by: 'id' | 'uid' | 'user_code', value: string, now: number): Promise<ProviderRecord | null>;
  /** Marks a record as used. @returns whether this call did it: of several at once only one does. */
  consume(kind: string, id: string, at: number): Promise<boolean>;
  /** Extends the life of a record. An earlier expiry changes nothing. */
  extend(kind: string, id: string, expiresAt: number): Promise<void>;
  remove(kind: string, id: string): Promise<void>;
  removeGrant(kind: string, grantId: string): Promise<void>;
  /** Ends all sessions and grants of a user. */
  removeUser(userId: string): Promise<void>;
  /** Deletes what has expired. @returns how many, at most 1,000. */
  prune(now: number): Promise<number>;
}

/** Records of the provider over any Kysely database. */
export function providerRecordsIn(db: Kysely<Tables>): ProviderRecords {
  return {
    async put({ kind, id, sealed, uid, userCode, grantId, userId, expiresAt }) {
      const row = { sealed, uid, user_code: userCode, grant_id: grantId, user_id: userId, expires_at: expiresAt };
      await db
        .insertInto('provider_records')
        .values({ kind, id, ...row, consumed_at: null })
        .onConflict(conflict => conflict.columns(['kind', 'id']).doUpdateSet(row))
        .execute();
    },
    async find(kind, by, value, now) {
      const row = await db
        .selectFrom('provider_records')
        .selectAll()
        .where('kind', '=', kind)
        .where(by, '=', value)
        .where(where => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
        .executeTakeFirst();
      if (!row) return null;
      const { user_code: userCode, grant_id: grantId, user_id: userId, consumed_at: consumedAt, ...rest } = row;
      return { ...rest, userCode, grantId, userId, consumedAt, expiresAt: row.expires_at };
    },
    async consume(kind, id, at) {
      const { numUpdatedRows } = await db
        .updateTable('provider_records')
        .set({ consumed_at: at })
        .where('kind', '=', kind)
        .where('id', '=', id)
        .where('consumed_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async extend(kind, id, expiresAt) {
      await db
        .updateTable('provider_records')
        .set({ expires_at: expiresAt })
        .where('kind', '=', kind)
        .where('id', '=', id)
        .where('expires_at', '<', expiresAt)
        .execute();
    },
    async remove(kind, id) {
      await db.deleteFrom('provider_records').where('kind', '=', kind).where('id', '=', id).execute();
    },
    async removeGrant(kind, grantId) {
      await db.deleteFrom('provider_records').where('kind', '=', kind).where('grant_id', '=', grantId).execute();
    },
    async removeUser(userId) {
      await db.deleteFrom('provider_records').where('user_id', '=', userId).execute();
    },
    async prune(now) {
      const old = db.selectFrom('provider_records').select(['kind', 'id']).where('expires_at', '<=', now).limit(1_000);
      const { numDeletedRows } = await db
        .deleteFrom('provider_records')
        .where(row => row(row.refTuple('kind', 'id'), 'in', old.$asTuple('kind', 'id')))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
