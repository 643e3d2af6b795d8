import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** An address that was resolved for an account. */
interface KeptGeocode {
  readonly accountId: string;
  /** Digest of the address. Its text is not stored. */
  readonly addressHash: string;
  /** Version of the geocoder that answered. After a change the answer is not reused, but the repeat stays free. */
  readonly version: string;
  /** JSON text. */
  readonly answer: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Resolved addresses by account (so that a price never reveals what others asked), and the month's lookups. */
export interface GeocodeRecords {
  /** The stored answer for an address that has not expired, or null. */
  kept(accountId: string, addressHash: string, now: number): Promise<Pick<KeptGeocode, 'version' | 'answer'> | null>;
  /** Stores an answer, replacing an earlier one. */
  keep(geocode: KeptGeocode): Promise<void>;
  /**
   * Counts one lookup in a month (`YYYY-MM`) over all servers, unless the budget is spent.
   * @param budget at least 1.
   * @returns false, with nothing counted, when the budget is spent.
   */
  spend(period: string, budget: number): Promise<boolean>;
  /** Deletes what has expired. @returns how many, at most 1,000. */
  prune(now: number): Promise<number>;
}

/** Geocode records over any Kysely database. */
export function geocodesIn(db: Kysely<Tables>): GeocodeRecords {
  return {
    async kept(accountId, addressHash, now) {
      const row = await db
        .selectFrom('geocodes')
        .select(['version', 'answer'])
        .where('account_id', '=', accountId)
        .where('address_hash', '=', addressHash)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row ?? null;
    },
    async keep({ accountId, addressHash, version, answer, expiresAt }) {
      await db
        .insertInto('geocodes')
        .values({ account_id: accountId, address_hash: addressHash, version, answer, expires_at: expiresAt })
        .onConflict(conflict =>
          conflict.columns(['account_id', 'address_hash']).doUpdateSet({ version, answer, expires_at: expiresAt }),
        )
        .execute();
    },
    async spend(period, budget) {
      const { rows } = await sql`
        insert into geocode_lookups (period, lookups) values (${period}, 1)
        on conflict (period) do update set lookups = geocode_lookups.lookups + 1
        where geocode_lookups.lookups < ${budget}
        returning lookups`.execute(db);
      return rows.length === 1;
    },
    async prune(now) {
      const old = db
        .selectFrom('geocodes')
        .select(['account_id', 'address_hash'])
        .where('expires_at', '<=', now)
        .limit(1_000);
      const { numDeletedRows } = await db
        .deleteFrom('geocodes')
        .where(row => row(row.refTuple('account_id', 'address_hash'), 'in', old.$asTuple('account_id', 'address_hash')))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
