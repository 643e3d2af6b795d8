import type { Kysely } from 'kysely';
import { packed, unpacked } from '../packed-text.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';

/** A template of siting that an account made. */
export interface SitingTemplateRow {
  readonly name: string;
  /** JSON text. */
  readonly body: string;
  /** Epoch milliseconds. */
  readonly changedAt: number;
}

/** Templates of siting of accounts. */
export interface SitingTemplateRecords {
  /** Stores a template, in the place of one of the same name. @returns false when the account has `most` others. */
  put(accountId: string, template: SitingTemplateRow, most: number): Promise<boolean>;
  /** A template of the account, or null. */
  template(accountId: string, name: string): Promise<SitingTemplateRow | null>;
  /** All templates of the account, by name. */
  list(accountId: string): Promise<SitingTemplateRow[]>;
  /** Deletes a template. @returns whether the account had it. */
  remove(accountId: string, name: string): Promise<boolean>;
}

const rowOf = async (row: { name: string; body: Uint8Array; changed_at: number }): Promise<SitingTemplateRow> => ({
  name: row.name,
  body: await unpacked(row.body),
  changedAt: row.changed_at,
});

/** Templates of siting over any Kysely database. */
export function sitingTemplatesIn(db: Kysely<Tables>): SitingTemplateRecords {
  const of = (accountId: string) => db.selectFrom('siting_templates').selectAll().where('account_id', '=', accountId);
  return {
    async put(accountId, { name, body, changedAt }, most) {
      const bytes = await packed(body);
      return transact(db, async tx => {
        // Locks the account: two at once would not count each other.
        await tx
          .updateTable('accounts')
          .set(eb => ({ created_at: eb.ref('created_at') }))
          .where('id', '=', accountId)
          .execute();
        const { count } = await tx
          .selectFrom('siting_templates')
          .select(eb => eb.fn.countAll().as('count'))
          .where('account_id', '=', accountId)
          .where('name', '!=', name)
          .executeTakeFirstOrThrow();
        if (Number(count) >= most) return false;
        await tx
          .insertInto('siting_templates')
          .values({ account_id: accountId, name, body: bytes, changed_at: changedAt })
          .onConflict(on => on.columns(['account_id', 'name']).doUpdateSet({ body: bytes, changed_at: changedAt }))
          .execute();
        return true;
      });
    },
    async template(accountId, name) {
      const row = await of(accountId).where('name', '=', name).executeTakeFirst();
      return row ? rowOf(row) : null;
    },
    async list(accountId) {
      return Promise.all((await of(accountId).orderBy('name').execute()).map(rowOf));
    },
    async remove(accountId, name) {
      const { numDeletedRows } = await db
        .deleteFrom('siting_templates')
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .executeTakeFirst();
      return numDeletedRows > 0;
    },
  };
}
