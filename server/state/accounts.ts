import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Account } from '../account/account.ts';
import type { Accounts, TokenRow } from './store.ts';
import type { Tables } from './tables.ts';
import { TokenLookups } from './token-lookups.ts';

const toToken = (row: Selectable<Tables['tokens']>): TokenRow => ({
  jti: row.jti,
  accountId: row.account_id,
  plan: row.plan,
  issuedAt: row.issued_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
});

/** Accounts and tokens over any database that Kysely speaks. */
export function accountsIn(db: Kysely<Tables>): Accounts {
  const byEmail = async (email: string): Promise<Account | null> =>
    (await db
      .selectFrom('accounts')
      .select(['id', 'email', 'plan'])
      .where('email', '=', email.toLowerCase())
      .executeTakeFirst()) ?? null;
  // Asked at every request: written once.
  const byToken = db
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
    .selectAll('tokens')
    .select(['accounts.email', 'accounts.plan as account_plan'])
    .where('tokens.jti', '=', '')
    .compile();
  const lookups = new TokenLookups(async jti => {
    const { rows } = await db.executeQuery({ ...byToken, parameters: [jti] } as typeof byToken);
    const row = rows[0];
    if (!row) return null;
    return { token: toToken(row), account: { id: row.account_id, email: row.email, plan: row.account_plan } };
  });
  return {
    account: byEmail,
    async openAccount(email, plan) {
      await db
        .insertInto('accounts')
        .values({
          id: randomUUID(),
          email: email.toLowerCase(),
          plan,
          created_at: Math.floor(Date.now() / 1000),
          monthly_credit_limit: null,
        })
        .onConflict(conflict => conflict.column('email').doNothing())
        .execute();
      return (await byEmail(email))!;
    },
    async setPlan(accountId, plan) {
      await lookups.change(() => db.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute());
    },
    async setMonthlyCreditLimit(accountId, credits) {
      await db.updateTable('accounts').set({ monthly_credit_limit: credits }).where('id', '=', accountId).execute();
    },
    async addToken(row) {
      await db
        .insertInto('tokens')
        .values({
          jti: row.jti,
          account_id: row.accountId,
          plan: row.plan,
          issued_at: row.issuedAt,
          expires_at: row.expiresAt,
          revoked_at: row.revokedAt,
        })
        .execute();
    },
    token: jti => lookups.token(jti),
    async tokens(accountId) {
      const rows = await db
        .selectFrom('tokens')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('issued_at', 'desc')
        .execute();
      return rows.map(toToken);
    },
    async revokeToken(jti, at) {
      await lookups.change(() =>
        db
          .updateTable('tokens')
          .set({ revoked_at: at })
          .where('jti', '=', jti)
          .where('revoked_at', 'is', null)
          .execute(),
      );
    },
  };
}
