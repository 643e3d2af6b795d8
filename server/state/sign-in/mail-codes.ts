import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** What a code that went out by mail is good for. */
export type MailPurpose = 'verify' | 'reset';

/** Codes that went out by mail: digests only, each good once. */
export interface MailCodes {
  add(hash: string, userId: string, purpose: MailPurpose, expiresAt: number): Promise<void>;
  /** Uses a code up. @returns whose it is, or null for one that is unknown, used, expired or for something else. */
  take(hash: string, purpose: MailPurpose, now: number): Promise<string | null>;
  /** Forgets all of somebody's codes. */
  drop(userId: string): Promise<void>;
  /** Forgets what has expired. @returns how many, at most 1,000. */
  prune(now: number): Promise<number>;
}

/** Codes over any database that Kysely speaks. */
export function mailCodesIn(db: Kysely<Tables>): MailCodes {
  return {
    async add(hash, userId, purpose, expiresAt) {
      await db.insertInto('mail_codes').values({ hash, user_id: userId, purpose, expires_at: expiresAt }).execute();
    },
    async take(hash, purpose, now) {
      const row = await db
        .deleteFrom('mail_codes')
        .where('hash', '=', hash)
        .where('purpose', '=', purpose)
        .returning(['user_id', 'expires_at'])
        .executeTakeFirst();
      return row && row.expires_at > now ? row.user_id : null;
    },
    async drop(userId) {
      await db.deleteFrom('mail_codes').where('user_id', '=', userId).execute();
    },
    async prune(now) {
      const old = db.selectFrom('mail_codes').select('hash').where('expires_at', '<=', now).limit(1_000);
      const { numDeletedRows } = await db.deleteFrom('mail_codes').where('hash', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
