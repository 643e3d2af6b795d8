import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** Terms of the operator, by version: what was filed once is what everybody reads from then on. */
export interface TermsRecords {
  /** @param filedAt epoch milliseconds. @returns the text of that version, which is an earlier one when there was one. */
  file(version: string, text: string, filedAt: number): Promise<string>;
  /** Null for a version that there never was. */
  text(version: string): Promise<string | null>;
}

/** Terms over any database that Kysely speaks. */
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
