import type { Kysely } from 'kysely';
import type { Plan } from '../../plans.ts';
import { type AuditAction, writeDown } from '../audit.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';

/** Everything an operator sees of an account. Times are epoch seconds. */
export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly plan: Plan;
  readonly createdAt: number;
  readonly disabledAt: number | null;
  readonly monthlyCreditLimit: number | null;
  /** Who vouches for its owner, and as whom; null before the first sign-in. */
  readonly issuer: string | null;
  readonly subject: string | null;
}

/** What operators do with accounts. */
export interface AccountRecords {
  /** Accounts by address, without those that were deleted. */
  list(): Promise<AccountRow[]>;
  /** Refuses its tokens and sessions, and ends the sessions. @param at epoch milliseconds. @returns whether it changed anything. */
  disable(accountId: string, at: number, by: string): Promise<boolean>;
  enable(accountId: string, at: number, by: string): Promise<boolean>;
  /** Deletes an account with all that is personal; sums of credits stay under its id. */
  remove(accountId: string, at: number, by: string): Promise<void>;
}

/** Tables that lose their rows of an account with it. */
export const PERSONAL = [
  'tokens',
  'identities',
  'geocodes',
  'idempotency',
  'kept_answers',
  'request_windows',
] as const satisfies readonly (keyof Tables)[];
/** Tables that keep them: sums of credits, and what was done, under an id that leads to nobody. */
export const KEPT = ['credit_usage', 'charges', 'usage_days', 'audit'] as const satisfies readonly (keyof Tables)[];

/** What operators do with accounts, over any database that Kysely speaks. @param changed does what changes accounts. */
export function accountRecordsIn(
  db: Kysely<Tables>,
  changed: <T>(work: () => Promise<T>) => Promise<T>,
): AccountRecords {
  const change = (
    accountId: string,
    action: AuditAction,
    to: { readonly disabled_at: number | null; readonly sessions_ended_at?: number },
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
      change(accountId, 'account_disabled', { disabled_at: Math.floor(at / 1000), sessions_ended_at: at }, { at, by }),
    enable: (accountId, at, by) => change(accountId, 'account_enabled', { disabled_at: null }, { at, by }),
    remove: (accountId, at, by) =>
      changed(() =>
        transact(db, async tx => {
          const held = await tx
            .selectFrom('identities')
            .select(['subject', 'email'])
            .where('account_id', '=', accountId)
            .executeTakeFirst();
          const row = await tx.selectFrom('accounts').select('email').where('id', '=', accountId).executeTakeFirst();
          for (const table of PERSONAL) await tx.deleteFrom(table).where('account_id', '=', accountId).execute();
          await tx.deleteFrom('attempts').where('key', '=', `reveal:${accountId}`).execute();
          // Users are known by the address before the first sign-in, by their id after it.
          const users = await tx
            .selectFrom('users')
            .select('id')
            .where(user => user.or([user('id', '=', held?.subject ?? ''), user('email', '=', row?.email ?? '')]))
            .execute();
          for (const { id } of users) {
            await tx.deleteFrom('mail_codes').where('user_id', '=', id).execute();
            await tx.deleteFrom('provider_records').where('user_id', '=', id).execute();
            await tx.deleteFrom('users').where('id', '=', id).execute();
          }
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
