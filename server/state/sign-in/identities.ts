import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Account } from '../account.ts';
import { SERVER, writeDown } from '../audit.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';

/** Issuer under which accounts of the embedded provider are stored, whatever the server's URL is. */
export const EMBEDDED = 'embedded';

/** A person, as an identity provider names them. */
export interface Identity {
  /** The issuer's URL, or EMBEDDED. */
  readonly issuer: string;
  readonly subject: string;
  /** Verified by the issuer. */
  readonly email: string;
}

/** The account that a person signs in to. */
export interface Holder {
  readonly account: Account;
  readonly disabled: boolean;
  /** Epoch milliseconds. Sessions that began earlier have ended; null when none was ended. */
  readonly sessionsEndedAt: number | null;
}

/** Accounts by identity. An account belongs to one (issuer, subject). */
export interface IdentityRecords {
  holder(issuer: string, subject: string): Promise<Holder | null>;
  /** The holder of an account, when its owner signs in with that issuer. */
  ofAccount(issuer: string, accountId: string): Promise<Holder | null>;
  /**
   * The account of an identity. At the first sign-in it takes over the account of its e-mail address, when nobody
   * signed in to that yet. Otherwise it is a new account on plan free; when the address is taken, a number sets it
   * apart: `a@b#2`.
   */
  signIn(identity: Identity): Promise<Holder>;
  /** The address that the owner of an account signs in with; null before the first sign-in. */
  addressOf(accountId: string): Promise<string | null>;
  /** Ends the sessions of an account that began before a time. @param reason for the audit trail. */
  endSessions(accountId: string, at: number, reason: string, by?: string): Promise<void>;
  /** Ends one session of an account. @param hash digest of it. @param expiresAt when it would have ended by itself. */
  endSession(accountId: string, hash: string, expiresAt: number): Promise<void>;
  /** Whether a session was ended, by its digest. */
  hasEnded(hash: string): Promise<boolean>;
  /** Forgets ended sessions whose time is over. @returns how many, at most 1,000. */
  prune(now: number): Promise<number>;
}

const COLUMNS = ['accounts.id', 'accounts.email', 'accounts.plan', 'disabled_at', 'sessions_ended_at'] as const;

const toHolder = (row: {
  readonly id: string;
  readonly email: string;
  readonly plan: Account['plan'];
  readonly disabled_at: number | null;
  readonly sessions_ended_at: number | null;
}): Holder => ({
  account: { id: row.id, email: row.email, plan: row.plan },
  disabled: row.disabled_at !== null,
  sessionsEndedAt: row.sessions_ended_at,
});

async function holderIn(
  db: Kysely<Tables>,
  issuer: string,
  column: 'subject' | 'account_id',
  value: string,
): Promise<Holder | null> {
  const row = await db
    .selectFrom('identities')
    .innerJoin('accounts', 'accounts.id', 'identities.account_id')
    .select(COLUMNS)
    .where('issuer', '=', issuer)
    .where(`identities.${column}`, '=', value)
    .executeTakeFirst();
  return row ? toHolder(row) : null;
}

/** The account of an address that nobody has signed in to, or null. */
async function unheld(tx: Transaction<Tables>, email: string): Promise<string | null> {
  const row = await tx
    .selectFrom('accounts')
    .leftJoin('identities', 'identities.account_id', 'accounts.id')
    .select('accounts.id')
    .where('accounts.email', '=', email)
    .where('identities.account_id', 'is', null)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Makes an account under an address. When the address is taken, the next free number is added. */
async function openNumbered(tx: Transaction<Tables>, email: string, at: number): Promise<string> {
  for (let number = 1; ; number++) {
    const inserted = await tx
      .insertInto('accounts')
      .values({
        id: randomUUID(),
        email: number === 1 ? email : `${email}#${number}`,
        plan: 'free',
        created_at: Math.floor(at / 1000),
        monthly_credit_limit: null,
      })
      .onConflict(conflict => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) return inserted.id;
  }
}

/** Selects the id by which the embedded provider knows the owner of an account. */
export const subjectsOf = (db: Kysely<Tables>, accountId: string) =>
  db.selectFrom('identities').select('subject').where('account_id', '=', accountId).where('issuer', '=', EMBEDDED);

/** Ends the sessions of an account, and those of its owner's browsers at the embedded provider. */
export async function endSessionsIn(tx: Transaction<Tables>, accountId: string, at: number): Promise<void> {
  await tx.updateTable('accounts').set({ sessions_ended_at: at }).where('id', '=', accountId).execute();
  // The embedded provider knows people who sign in elsewhere by the id of the account.
  await tx
    .deleteFrom('provider_records')
    .where(row => row.or([row('user_id', 'in', subjectsOf(tx, accountId)), row('user_id', '=', accountId)]))
    .execute();
}

/** Identities over any Kysely database. @param changed runs what changes accounts. */
export function identitiesIn(db: Kysely<Tables>, changed: <T>(work: () => Promise<T>) => Promise<T>): IdentityRecords {
  return {
    holder: (issuer, subject) => holderIn(db, issuer, 'subject', subject),
    ofAccount: (issuer, accountId) => holderIn(db, issuer, 'account_id', accountId),
    async signIn({ issuer, subject, email: written }) {
      const email = written.toLowerCase();
      const open = async (tx: Transaction<Tables>) => {
        const at = Date.now();
        const taken = await unheld(tx, email);
        const accountId = taken ?? (await openNumbered(tx, email, at));
        const filed = await tx
          .insertInto('identities')
          .values({ issuer, subject, account_id: accountId, email, created_at: Math.floor(at / 1000) })
          .onConflict(conflict => conflict.doNothing())
          .returning('account_id')
          .executeTakeFirst();
        if (!filed) {
          // Another sign-in was first, of the same identity or to the same account: look again.
          if (!taken) await tx.deleteFrom('accounts').where('id', '=', accountId).execute();
          return;
        }
        await writeDown(tx, {
          at,
          actor: SERVER,
          action: taken ? 'account_taken_over' : 'account_opened',
          accountId,
          subject: null,
          detail: taken ? { issuer } : { plan: 'free', issuer },
        });
      };
      for (;;) {
        const existing = await holderIn(db, issuer, 'subject', subject);
        if (existing) return existing;
        await transact(db, open);
      }
    },
    async addressOf(accountId) {
      const row = await db
        .selectFrom('identities')
        .select('email')
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row?.email ?? null;
    },
    endSessions: (accountId, at, reason, by = SERVER) =>
      changed(() =>
        transact(db, async tx => {
          await endSessionsIn(tx, accountId, at);
          const detail = { reason };
          await writeDown(tx, { at, actor: by, action: 'sessions_ended', accountId, subject: null, detail });
        }),
      ),
    async endSession(accountId, hash, expiresAt) {
      await db
        .insertInto('ended_sessions')
        .values({ hash, account_id: accountId, expires_at: expiresAt })
        .onConflict(conflict => conflict.column('hash').doNothing())
        .execute();
    },
    async hasEnded(hash) {
      const row = await db.selectFrom('ended_sessions').select('hash').where('hash', '=', hash).executeTakeFirst();
      return row !== undefined;
    },
    async prune(now) {
      const old = db.selectFrom('ended_sessions').select('hash').where('expires_at', '<=', now).limit(1_000);
      const { numDeletedRows } = await db.deleteFrom('ended_sessions').where('hash', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
