import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** An address that an account has had resolved. */
interface KeptGeocode {
  readonly accountId: string;
  /** Digest of the address: the text itself is not kept. */
  readonly addressHash: string;
  /** Of the geocoder that answered; another one's answer is not given again, but the repeat stays free. */
  readonly version: string;
  /** JSON. */
  readonly answer: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Resolved addresses by account, so that nobody learns from a price what others asked, and the lookups of a month. */
export interface GeocodeRecords {
  /** What is kept for an address and has not expired, or null. */
  kept(accountId: string, addressHash: string, now: number): Promise<Pick<KeptGeocode, 'version' | 'answer'> | null>;
  /** Keeps an answer in place of an earlier one. */
  keep(geocode: KeptGeocode): Promise<void>;
  /**
   * Counts one lookup of all servers together in a month (`YYYY-MM`), unless so many were made already.
   * @param budget at least 1.
   * @returns false, with nothing counted, when the budget is spent.
   */
  spend(period: string, budget: number): Promise<boolean>;
  /** Forgets what expired. @returns how many, at most 1,000. */
  prune(now: number): Promise<number>;
}

/** Geocode records over any database that Kysely speaks. */
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
