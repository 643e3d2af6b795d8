import { type Kysely, sql } from 'kysely';
import type { Plan } from '../../plans.ts';
import { type AuditAction, writeDown } from '../audit.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import { FATES, type OfAccounts } from './account-tables.ts';
import { EMBEDDED, endSessionsIn } from './identities.ts';

/** An account with all that an operator sees. Times are epoch seconds. */
export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly plan: Plan;
  readonly createdAt: number;
  readonly disabledAt: number | null;
  readonly monthlyCreditLimit: number | null;
  /** Issuer that identifies the owner; null before the first sign-in. */
  readonly issuer: string | null;
  readonly subject: string | null;
}

/** Account operations for operators. */
export interface AccountRecords {
  /** Accounts by address, without deleted ones. */
  list(): Promise<AccountRow[]>;
  /** Refuses its tokens and ends its sessions. @param at epoch milliseconds. @returns whether it changed anything. */
  disable(accountId: string, at: number, by: string): Promise<boolean>;
  enable(accountId: string, at: number, by: string): Promise<boolean>;
  /** Lets its owner see how the installation stands, or no more. @returns whether it changed anything. */
  setOperator(accountId: string, is: boolean, at: number, by: string): Promise<boolean>;
  isOperator(accountId: string): Promise<boolean>;
  /** Deletes an account with all personal data. Sums of credits stay under its id. */
  remove(accountId: string, at: number, by: string): Promise<void>;
}

/** Account operations for operators over any Kysely database. @param changed runs what changes accounts. */
export function accountRecordsIn(
  db: Kysely<Tables>,
  changed: <T>(work: () => Promise<T>) => Promise<T>,
): AccountRecords {
  const change = (
    accountId: string,
    action: AuditAction,
    to: { readonly disabled_at: number | null },
    { at, by }: { readonly at: number; readonly by: string },
  ): Promise<boolean> =>
    changed(() =>
      transact(db, async tx => {
        const row = await tx
          .updateTable('accounts')
          .set(to)
          .where('id', '=', accountId)
          .where('disabled_at', to.disabled_at === null ? 'is not' : 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (row && to.disabled_at !== null) await endSessionsIn(tx, accountId, at);
        if (row) await writeDown(tx, { at, actor: by, action, accountId, subject: null, detail: {} });
        return row !== undefined;
      }),
    );
  return {
    async list() {
      const rows = await db
        .selectFrom('accounts')
        .leftJoin('identities', 'identities.account_id', 'accounts.id')
        .selectAll('accounts')
        .select(['identities.issuer', 'identities.subject'])
        .where('deleted_at', 'is', null)
        .orderBy('accounts.email')
        .execute();
      return rows.map(row => ({
        id: row.id,
        email: row.email,
        plan: row.plan,
        createdAt: row.created_at,
        disabledAt: row.disabled_at,
        monthlyCreditLimit: row.monthly_credit_limit,
        issuer: row.issuer,
        subject: row.subject,
      }));
    },
    disable: (accountId, at, by) =>
      change(accountId, 'account_disabled', { disabled_at: Math.floor(at / 1000) }, { at, by }),
    enable: (accountId, at, by) => change(accountId, 'account_enabled', { disabled_at: null }, { at, by }),
    setOperator: (accountId, is, at, by) =>
      transact(db, async tx => {
        const row = await tx
          .updateTable('accounts')
          .set({ operator_since: is ? Math.floor(at / 1000) : null })
          .where('id', '=', accountId)
          .where('operator_since', is ? 'is' : 'is not', null)
          .returning('id')
          .executeTakeFirst();
        const action = is ? 'operator_added' : 'operator_removed';
        if (row) await writeDown(tx, { at, actor: by, action, accountId, subject: null, detail: {} });
        return row !== undefined;
      }),
    async isOperator(accountId) {
      const row = await db
        .selectFrom('accounts')
        .select('operator_since')
        .where('id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return (row?.operator_since ?? null) !== null;
    },
    remove: (accountId, at, by) =>
      changed(() =>
        transact(db, async tx => {
          const held = await tx
            .selectFrom('identities')
            .select(['issuer', 'subject', 'email'])
            .where('account_id', '=', accountId)
            .executeTakeFirst();
          const row = await tx.selectFrom('accounts').select('email').where('id', '=', accountId).executeTakeFirst();
          for (const [table, fate] of Object.entries(FATES) as [OfAccounts, string][])
            if (fate === 'goes') await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(tx);
          await tx.deleteFrom('attempts').where('key', '=', `reveal:${accountId}`).execute();
          for (const email of [held?.email, row?.email])
            await tx
              .deleteFrom('mail_codes')
              .where('email', '=', email ?? '')
              .execute();
          // Before the first sign-in the provider knows users by address, afterwards by id.
          const users = await tx
            .selectFrom('users')
            .select('id')
            .where(user =>
              user.or([
                user('id', '=', held?.issuer === EMBEDDED ? held.subject : ''),
                user('email', '=', row?.email ?? ''),
              ]),
            )
            .execute();
          for (const { id } of users) {
            await tx.deleteFrom('users').where('id', '=', id).execute();
          }
          const ids = [accountId, ...users.map(({ id }) => id)];
          await tx.deleteFrom('provider_records').where('user_id', 'in', ids).execute();
          const seconds = Math.floor(at / 1000);
          await tx
            .updateTable('accounts')
            .set({
              email: `deleted:${accountId}`,
              disabled_at: seconds,
              deleted_at: seconds,
              monthly_credit_limit: null,
            })
            .where('id', '=', accountId)
            .execute();
          await writeDown(tx, { at, actor: by, action: 'account_deleted', accountId, subject: null, detail: {} });
        }),
      ),
  };
}
