import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** A key that signs ID tokens, as it is stored. Times are epoch milliseconds. */
interface SigningKeyRow {
  readonly id: string;
  /** JWK with its private part, encrypted. */
  readonly sealed: string;
  readonly signsFrom: number;
  /** When its last signature has expired. */
  readonly expiresAt: number;
}

/** Keys that all servers of a state store use to sign and verify. */
export interface SigningKeys {
  /** Keys that have not expired. The one that starts to sign last comes first. */
  keys(now: number): Promise<SigningKeyRow[]>;
  /** Stores a key, unless another server stored one that signs from the same time. */
  add(row: SigningKeyRow): Promise<void>;
  /** Deletes expired keys. */
  prune(now: number): Promise<void>;
}

/** Signing keys over any Kysely database. */
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
