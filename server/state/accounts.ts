import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { ALL_TERMS, scopesIn } from '../scopes.ts';
import type { Account } from './account.ts';
import { addTokenIn } from './agents/token-rows.ts';
import { type AuditAction, SERVER, writeDown } from './audit.ts';
import type { Accounts, TokenRow } from './store.ts';
import type { Tables } from './tables.ts';
import { TokenLookups } from './token-lookups.ts';
import { transact } from './transaction.ts';

/** Most tokens of one account that are listed, newest first. */
const LISTED = 1_000;

const toToken = (row: Selectable<Tables['tokens']>): TokenRow => ({
  jti: row.jti,
  accountId: row.account_id,
  plan: row.plan,
  issuedAt: row.issued_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  name: row.name,
  keyId: row.key_id,
  lastUsedAt: row.last_used_at,
  kind: row.kind,
  scopes: row.scopes === null ? ALL_TERMS.scopes : scopesIn(row.scopes),
  creditsADay: row.credits_a_day,
});

/** Changes one column of an account and records the old and the new value. An unchanged value changes nothing. */
const changeAccount = <C extends 'plan' | 'monthly_credit_limit'>(
  db: Kysely<Tables>,
  accountId: string,
  column: C,
  to: Tables['accounts'][C],
  { action, by }: { readonly action: AuditAction; readonly by: string },
): Promise<void> =>
  transact(db, async tx => {
    const before = await tx
      .selectFrom('accounts')
      .select(['plan', 'monthly_credit_limit'])
      .where('id', '=', accountId)
      .executeTakeFirst();
    if (!before || before[column] === to) return;
    await tx
      .updateTable('accounts')
      .set({ [column]: to })
      .where('id', '=', accountId)
      .execute();
    const detail = { from: before[column], to };
    await writeDown(tx, { at: Date.now(), actor: by, action, accountId, subject: null, detail });
  });

/** Accounts and tokens over any Kysely database. `changed` runs what changes accounts (TokenLookups.change). */
export function accountsIn(db: Kysely<Tables>): {
  readonly records: Accounts;
  readonly changed: TokenLookups['change'];
} {
  const byEmail = async (email: string): Promise<Account | null> =>
    (await db
      .selectFrom('accounts')
      .select(['id', 'email', 'plan'])
      .where('email', '=', email.toLowerCase())
      .executeTakeFirst()) ?? null;
  // Asked at every request, so the statement is built once.
  const byToken = db
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
    .selectAll('tokens')
    .select(['accounts.email', 'accounts.plan as account_plan', 'accounts.disabled_at'])
    .where('tokens.jti', '=', '')
    .compile();
  const lookups = new TokenLookups(async jti => {
    const { rows } = await db.executeQuery({ ...byToken, parameters: [jti] } as typeof byToken);
    const row = rows[0];
    if (!row) return null;
    const account = { id: row.account_id, email: row.email, plan: row.account_plan };
    return { token: toToken(row), account, disabled: row.disabled_at !== null };
  });
  const records: Accounts = {
    account: byEmail,
    async openAccount(email, plan, by = SERVER) {
      await transact(db, async tx => {
        const at = Date.now();
        const inserted = await tx
          .insertInto('accounts')
          .values({
            id: randomUUID(),
            email: email.toLowerCase(),
            plan,
            created_at: Math.floor(at / 1000),
            monthly_credit_limit: null,
          })
          .onConflict(conflict => conflict.column('email').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!inserted) return;
        const [accountId, action] = [inserted.id, 'account_opened'] as const;
        await writeDown(tx, { at, actor: by, action, accountId, subject: null, detail: { plan } });
      });
      return (await byEmail(email))!;
    },
    setPlan: (accountId, plan, by = SERVER) =>
      lookups.change(() => changeAccount(db, accountId, 'plan', plan, { action: 'plan_changed', by })),
    setMonthlyCreditLimit: (accountId, credits, by = SERVER) =>
      changeAccount(db, accountId, 'monthly_credit_limit', credits, { action: 'credit_limit_changed', by }),
    addToken: (row, by = SERVER) => transact(db, tx => addTokenIn(tx, row, by)),
    token: jti => lookups.token(jti),
    async tokens(accountId) {
      const rows = await db
        .selectFrom('tokens')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('issued_at', 'desc')
        // Ids sort by time too, within the second.
        .orderBy('jti', 'desc')
        .limit(LISTED)
        .execute();
      return rows.map(toToken);
    },
    async noteTokenUses(uses) {
      for (const [jti, at] of uses)
        await db
          .updateTable('tokens')
          .set({ last_used_at: at })
          .where('jti', '=', jti)
          .where(row => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', at)]))
          .execute();
    },
    revokeToken: (jti, at, by = SERVER) =>
      lookups.change(() =>
        transact(db, async tx => {
          const revoked = await tx
            .updateTable('tokens')
            .set({ revoked_at: at })
            .where('jti', '=', jti)
            .where('revoked_at', 'is', null)
            .returning('account_id')
            .executeTakeFirst();
          if (!revoked) return false;
          const accountId = revoked.account_id;
          const entry = {
            at: Date.now(),
            actor: by,
            action: 'token_revoked',
            accountId,
            subject: jti,
            detail: {},
          } as const;
          await writeDown(tx, entry);
          return true;
        }),
      ),
    accountsOf: async ids =>
      ids.length === 0
        ? []
        : db.selectFrom('accounts').select(['id', 'email', 'plan']).where('id', 'in', ids).execute(),
  };
  return { records, changed: work => lookups.change(work) };
}
