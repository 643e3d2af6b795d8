import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** A key that signs ID tokens, as it is kept. Times are epoch milliseconds. */
interface SigningKeyRow {
  readonly id: string;
  /** JWK with its private part, sealed. */
  readonly sealed: string;
  readonly signsFrom: number;
  /** After it nothing that it signed is good any more. */
  readonly expiresAt: number;
}

/** Keys that all servers of a state store sign and verify with. */
export interface SigningKeys {
  /** Keys that have not expired, the one that signs last first. */
  keys(now: number): Promise<SigningKeyRow[]>;
  /** Files a key, unless another server filed one that signs from the same moment. */
  add(row: SigningKeyRow): Promise<void>;
  /** Forgets keys that have expired. */
  prune(now: number): Promise<void>;
}

/** Signing keys over any database that Kysely speaks. */
export function signingKeysIn(db: Kysely<Tables>): SigningKeys {
  return {
    async keys(now) {
      const rows = await db
        .selectFrom('signing_keys')
        .selectAll()
        .where('expires_at', '>', now)
        .orderBy('signs_from', 'desc')
        .execute();
      return rows.map(row => ({
        id: row.id,
        sealed: row.sealed,
        signsFrom: row.signs_from,
        expiresAt: row.expires_at,
      }));
    },
    async add({ id, sealed, signsFrom, expiresAt }) {
      await db
        .insertInto('signing_keys')
        .values({ id, sealed, signs_from: signsFrom, expires_at: expiresAt })
        .onConflict(conflict => conflict.column('signs_from').doNothing())
        .execute();
    },
    async prune(now) {
      await db.deleteFrom('signing_keys').where('expires_at', '<=', now).execute();
    },
  };
}
