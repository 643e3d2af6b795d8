import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** Codes sent by mail that prove control of an address. Only digests are stored. Each works once. */
export interface MailCodes {
  add(hash: string, email: string, expiresAt: number): Promise<void>;
  /** The address of a code, without using it; null when it is unknown, used or expired. */
  find(hash: string, now: number): Promise<string | null>;
  /** Uses a code, and with it all others of the address. @returns the address, or null as `find`. */
  take(hash: string, now: number): Promise<string | null>;
  /** Deletes what has expired. @returns how many, at most 1,000. */
  prune(now: number): Promise<number>;
}

/** Codes over any Kysely database. */
export function mailCodesIn(db: Kysely<Tables>): MailCodes {
  return {
    async add(hash, email, expiresAt) {
      await db.insertInto('mail_codes').values({ hash, email: email.toLowerCase(), expires_at: expiresAt }).execute();
    },
    async find(hash, now) {
      const row = await db
        .selectFrom('mail_codes')
        .select('email')
        .where('hash', '=', hash)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row?.email ?? null;
    },
    async take(hash, now) {
      const row = await db
        .deleteFrom('mail_codes')
        .where('hash', '=', hash)
        .returning(['email', 'expires_at'])
        .executeTakeFirst();
      if (!row || row.expires_at <= now) return null;
      await db.deleteFrom('mail_codes').where('email', '=', row.email).execute();
      return row.email;
    },
    async prune(now) {
      const old = db.selectFrom('mail_codes').select('hash').where('expires_at', '<=', now).limit(1_000);
      const { numDeletedRows } = await db.deleteFrom('mail_codes').where('hash', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
