import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, type Selectable } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Account } from '../context.ts';
import type { Plan } from '../plans.ts';
import { nodeSqlite } from './dialect.ts';
import { MIGRATIONS } from './migrations.ts';
import type { StateStore, TokenRow } from './store.ts';

interface Tables {
  accounts: { id: string; email: string; plan: Plan; created_at: number };
  tokens: {
    jti: string;
    account_id: string;
    plan: Plan;
    issued_at: number;
    expires_at: number;
    revoked_at: number | null;
  };
}

const toToken = (row: Selectable<Tables['tokens']>): TokenRow => ({
  jti: row.jti,
  accountId: row.account_id,
  plan: row.plan,
  issuedAt: row.issued_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
});

/**
 * Opens (and migrates) the state store in an SQLite file.
 * @param file `:memory:` or a path.
 * @throws Error when a migration fails.
 */
export async function openSqlite(file: string): Promise<StateStore> {
  const db = new Kysely<Tables>({ dialect: nodeSqlite(file) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateToLatest();
  if (error) {
    await db.destroy();
    throw new Error(`State store ${file}: its tables could not be brought up to date`, { cause: error });
  }

  const byEmail = async (email: string): Promise<Account | null> =>
    (await db
      .selectFrom('accounts')
      .select(['id', 'email', 'plan'])
      .where('email', '=', email.toLowerCase())
      .executeTakeFirst()) ?? null;

  return {
    account: byEmail,
    async openAccount(email, plan) {
      await db
        .insertInto('accounts')
        .values({ id: randomUUID(), email: email.toLowerCase(), plan, created_at: Math.floor(Date.now() / 1000) })
        .onConflict(conflict => conflict.column('email').doNothing())
        .execute();
      return (await byEmail(email))!;
    },
    async setPlan(accountId, plan) {
      await db.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute();
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
    async token(jti) {
      const row = await db
        .selectFrom('tokens')
        .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
        .selectAll('tokens')
        .select(['accounts.email', 'accounts.plan as account_plan'])
        .where('tokens.jti', '=', jti)
        .executeTakeFirst();
      if (!row) return null;
      return { token: toToken(row), account: { id: row.account_id, email: row.email, plan: row.account_plan } };
    },
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
      await db
        .updateTable('tokens')
        .set({ revoked_at: at })
        .where('jti', '=', jti)
        .where('revoked_at', 'is', null)
        .execute();
    },
    close: () => db.destroy(),
  };
}

/**
 * Opens the state store that the settings name.
 * @param url empty for `<home>/state.sqlite`.
 * @throws RangeError for any other store, without repeating the URL (it may hold a password).
 */
export async function openState(home: string, url: string): Promise<StateStore> {
  if (url !== '')
    throw new RangeError(
      'PLAT_STATE_URL: this build keeps its state in the SQLite file PLAT_HOME/state.sqlite only; unset it',
    );
  mkdirSync(home, { recursive: true });
  return openSqlite(join(home, 'state.sqlite'));
}
