import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** Terms of the operator, by version. The text of a version never changes once it is stored. */
export interface TermsRecords {
  /**
   * Stores a version. @param filedAt epoch milliseconds. @returns its text: the stored one, if there was one already.
   */
  file(version: string, text: string, filedAt: number): Promise<string>;
  /** The text of a version; null when it does not exist. */
  text(version: string): Promise<string | null>;
}

/** Terms over any Kysely database. */
export function termsIn(db: Kysely<Tables>): TermsRecords {
  const text = async (version: string) => {
    const row = await db.selectFrom('terms').select('text').where('version', '=', version).executeTakeFirst();
    return row?.text ?? null;
  };
  return {
    text,
    async file(version, given, filedAt) {
      await db
        .insertInto('terms')
        .values({ version, text: given, filed_at: filedAt })
        .onConflict(conflict => conflict.column('version').doNothing())
        .execute();
      return (await text(version))!;
    },
  };
}
