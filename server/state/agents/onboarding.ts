import type { Kysely, Selectable } from 'kysely';
import { writeDown } from '../audit.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import { addTokenIn, type TokenRow } from './token-rows.ts';

/** What the first call of an agent showed, never a value. */
interface FirstCall {
  readonly fields: readonly string[];
  readonly source_urls: readonly string[];
}

/** An account that is being set up for an agent. Instants are epoch milliseconds. */
export interface AttemptRow {
  readonly id: string;
  readonly accountId: string;
  readonly codeExpiresAt: number;
  readonly connectedAt: number | null;
  readonly installedAt: number | null;
  readonly verifiedAt: number | null;
  readonly clients: readonly string[];
  readonly skillInstalled: boolean;
  readonly firstCallAt: number | null;
  readonly firstCall: FirstCall | null;
}

/** A new attempt. */
interface NewAttempt {
  readonly id: string;
  readonly accountId: string;
  readonly terms: { readonly version: string; readonly sha256: string };
  /** Digest of the connect code. */
  readonly codeHash: string;
  readonly now: number;
  readonly codeExpiresAt: number;
  /** When the code itself is forgotten, so that it is answered as unknown. */
  readonly forgetCodeAt: number;
  readonly expiresAt: number;
}

/** The progress that an agent reports. */
interface Progress {
  readonly stage: 'installed' | 'verified';
  readonly clients: readonly string[];
  readonly skillInstalled: boolean;
}

/** Attempts and their connect codes. */
export interface OnboardingRecords {
  /** Stores an attempt with its code, and records that its account accepted the terms. */
  begin(attempt: NewAttempt): Promise<void>;
  /** The attempt of a code, even a used or expired one; null when the code is unknown or forgotten. */
  attemptOfCode(hash: string): Promise<{ readonly id: string; readonly accountId: string } | null>;
  /**
   * Uses a code and stores the token it is exchanged for, in one transaction. Of several calls at once one succeeds.
   */
  exchange(hash: string, token: TokenRow, now: number): Promise<'done' | 'unknown' | 'used' | 'expired'>;
  /** The attempt; null when it is unknown or belongs to another account. */
  attempt(accountId: string, id: string): Promise<AttemptRow | null>;
  /**
   * Records progress of the attempt that made the token; stages keep their first time. @returns null for other tokens.
   */
  progress(id: string, jti: string, told: Progress, now: number): Promise<AttemptRow | null>;
  /** Records the first call of the attempt that made the token. @returns whether this call was the first. */
  prove(id: string, jti: string, call: FirstCall, now: number): Promise<boolean>;
  /** Deletes what has expired. @returns how many, at most 2,000. */
  prune(now: number): Promise<number>;
}

const toAttempt = (row: Selectable<Tables['onboarding_attempts']>): AttemptRow => ({
  id: row.id,
  accountId: row.account_id,
  codeExpiresAt: row.code_expires_at,
  connectedAt: row.connected_at,
  installedAt: row.installed_at,
  verifiedAt: row.verified_at,
  clients: JSON.parse(row.clients) as string[],
  skillInstalled: row.skill_installed === 1,
  firstCallAt: row.first_call_at,
  firstCall: row.first_call === null ? null : (JSON.parse(row.first_call) as FirstCall),
});

/** Attempts over any Kysely database. */
export function onboardingIn(db: Kysely<Tables>): OnboardingRecords {
  return {
    begin: ({ id, accountId, terms, codeHash, now, codeExpiresAt, forgetCodeAt, expiresAt }) =>
      transact(db, async tx => {
        await tx
          .insertInto('onboarding_attempts')
          .values({
            id,
            account_id: accountId,
            terms_version: terms.version,
            terms_sha256: terms.sha256,
            created_at: now,
            code_expires_at: codeExpiresAt,
            connected_at: null,
            token_jti: null,
            installed_at: null,
            verified_at: null,
            clients: '[]',
            skill_installed: 0,
            first_call_at: null,
            first_call: null,
            expires_at: expiresAt,
          })
          .execute();
        await tx
          .insertInto('connect_codes')
          .values({
            hash: codeHash,
            attempt_id: id,
            account_id: accountId,
            expires_at: codeExpiresAt,
            used_at: null,
            forget_at: forgetCodeAt,
          })
          .execute();
        await writeDown(tx, {
          at: now,
          actor: `account ${accountId}`,
          action: 'terms_accepted',
          accountId,
          subject: id,
          detail: { ...terms },
        });
      }),
    async attemptOfCode(hash) {
      const row = await db
        .selectFrom('connect_codes')
        .select(['attempt_id', 'account_id'])
        .where('hash', '=', hash)
        .executeTakeFirst();
      return row ? { id: row.attempt_id, accountId: row.account_id } : null;
    },
    exchange: (hash, token, now) =>
      transact(db, async tx => {
        const used = await tx
          .updateTable('connect_codes')
          .set({ used_at: now })
          .where('hash', '=', hash)
          .where('account_id', '=', token.accountId)
          .where('used_at', 'is', null)
          .where('expires_at', '>', now)
          .returning('attempt_id')
          .executeTakeFirst();
        if (!used) {
          const row = await tx
            .selectFrom('connect_codes')
            .select('used_at')
            .where('hash', '=', hash)
            .executeTakeFirst();
          return !row ? 'unknown' : row.used_at === null ? 'expired' : 'used';
        }
        await addTokenIn(tx, token, `account ${token.accountId}`);
        await tx
          .updateTable('onboarding_attempts')
          .set({ connected_at: now, token_jti: token.jti })
          .where('id', '=', used.attempt_id)
          .execute();
        return 'done';
      }),
    async attempt(accountId, id) {
      const row = await db
        .selectFrom('onboarding_attempts')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row ? toAttempt(row) : null;
    },
    progress: (id, jti, { stage, clients, skillInstalled }, now) =>
      transact(db, async tx => {
        // Locks the row first, so that of two reports at once neither overwrites the other.
        const row = await tx
          .updateTable('onboarding_attempts')
          .set(row => ({ installed_at: row.fn.coalesce('installed_at', row.val(now)) }))
          .where('id', '=', id)
          .where('token_jti', '=', jti)
          .returningAll()
          .executeTakeFirst();
        if (!row) return null;
        const told = {
          verified_at: row.verified_at ?? (stage === 'verified' ? now : null),
          clients: JSON.stringify([...new Set([...(JSON.parse(row.clients) as string[]), ...clients])].sort()),
          skill_installed: row.skill_installed === 1 || skillInstalled ? 1 : 0,
        };
        await tx.updateTable('onboarding_attempts').set(told).where('id', '=', id).execute();
        return toAttempt({ ...row, ...told });
      }),
    async prove(id, jti, call, now) {
      const { numUpdatedRows } = await db
        .updateTable('onboarding_attempts')
        .set({ first_call_at: now, first_call: JSON.stringify(call) })
        .where('id', '=', id)
        .where('token_jti', '=', jti)
        .where('first_call_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async prune(now) {
      const codes = db.selectFrom('connect_codes').select('hash').where('forget_at', '<=', now).limit(1_000);
      const attempts = db.selectFrom('onboarding_attempts').select('id').where('expires_at', '<=', now).limit(1_000);
      const forgotten = [
        await db.deleteFrom('connect_codes').where('hash', 'in', codes).executeTakeFirst(),
        await db.deleteFrom('onboarding_attempts').where('id', 'in', attempts).executeTakeFirst(),
      ];
      return forgotten.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0);
    },
  };
}
