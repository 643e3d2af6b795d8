import type { Kysely } from 'kysely';
import { packed, unpacked } from '../packed-text.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';

/** A map of all parcels that pass filters. Times are epoch milliseconds. */
export interface MatchMapRow {
  /** Digest of its address, which alone shows it. */
  readonly id: string;
  /** Null of one that a command made. */
  readonly accountId: string | null;
  readonly release: string;
  /** JSON text of the filters. */
  readonly filters: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Maps of sets that can be looked at for an hour, by whoever knows their address. */
export interface MatchMapRecords {
  /** Stores a map, and deletes the oldest ones of its account beyond so many. */
  add(map: MatchMapRow, most: number): Promise<void>;
  /** A map that has not expired, or null. */
  map(id: string, now: number): Promise<MatchMapRow | null>;
  /** Deletes what has expired. @returns how many, at most 100. */
  prune(now: number): Promise<number>;
}

const PRUNED = 100;

/** Maps of sets over any Kysely database. */
export function matchMapsIn(db: Kysely<Tables>): MatchMapRecords {
  return {
    async add({ id, accountId, release, filters, createdAt, expiresAt }, most) {
      const bytes = await packed(filters);
      await transact(db, async tx => {
        await tx
          .insertInto('match_maps')
          .values({
            id,
            account_id: accountId,
            release,
            filters: bytes,
            created_at: createdAt,
            expires_at: expiresAt,
          })
          .execute();
        if (accountId === null) return;
        const beyond = await tx
          .selectFrom('match_maps')
          .select('id')
          .where('account_id', '=', accountId)
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .offset(most)
          .limit(PRUNED)
          .execute();
        const ids = beyond.map(row => row.id);
        if (ids.length > 0) await tx.deleteFrom('match_maps').where('id', 'in', ids).execute();
      });
    },
    async map(id, now) {
      const row = await db
        .selectFrom('match_maps')
        .selectAll()
        .where('id', '=', id)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (!row) return null;
      return {
        id: row.id,
        accountId: row.account_id,
        release: row.release,
        filters: await unpacked(row.filters),
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      };
    },
    async prune(now) {
      const old = db.selectFrom('match_maps').select('id').where('expires_at', '<=', now).limit(PRUNED);
      const { numDeletedRows } = await db.deleteFrom('match_maps').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
