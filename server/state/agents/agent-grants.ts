import type { Kysely } from 'kysely';
import { writeDown } from '../audit.ts';
import { subjectsOf } from '../sign-in/identities.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';

/** A client's permission to act for an account, as it is stored. Times are epoch milliseconds. */
export interface AgentGrantRow {
  /** Digest of the provider's id for it, which therefore may be shown. */
  readonly id: string;
  /** The provider's record, encrypted. */
  readonly sealed: string;
  readonly lastUsedAt: number | null;
}

/** Grants of the embedded provider by the account that they act for. */
export interface AgentGrantRecords {
  /** Grants of an account that have not expired. */
  of(accountId: string, now: number): Promise<AgentGrantRow[]>;
  /** Whether a grant is in force: neither revoked nor expired. */
  holds(id: string, now: number): Promise<boolean>;
  /** Records that a grant was given. @returns false when it was recorded before. */
  add(accountId: string, id: string, at: number): Promise<boolean>;
  /** Stores when grants were last used, by id. An earlier time changes nothing. */
  noteUses(uses: ReadonlyMap<string, number>): Promise<void>;
  /**
   * Ends a grant with all its codes and tokens.
   * @returns false when the account never had such a grant. A second call changes nothing and returns true.
   */
  revoke(accountId: string, id: string, at: number): Promise<boolean>;
}

const KIND = 'Grant';

/** Whether the trail of an account has an action on a grant. */
async function isRecorded(
  tx: Kysely<Tables>,
  accountId: string,
  action: 'grant_added' | 'grant_revoked',
  id: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom('audit')
    .select('id')
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .where('subject', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Grants over any Kysely database. */
export function agentGrantsIn(db: Kysely<Tables>): AgentGrantRecords {
  return {
    async of(accountId, now) {
      const rows = await db
        .selectFrom('provider_records')
        .select(['id', 'sealed', 'last_used_at'])
        .where('kind', '=', KIND)
        .where('expires_at', '>', now)
        .where(row => row.or([row('user_id', 'in', subjectsOf(db, accountId)), row('user_id', '=', accountId)]))
        .execute();
      return rows.map(({ id, sealed, last_used_at: lastUsedAt }) => ({ id, sealed, lastUsedAt }));
    },
    async holds(id, now) {
      const row = await db
        .selectFrom('provider_records')
        .select('id')
        .where('kind', '=', KIND)
        .where('id', '=', id)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row !== undefined;
    },
    add: (accountId, id, at) =>
      transact(db, async tx => {
        if (await isRecorded(tx, accountId, 'grant_added', id)) return false;
        const actor = `account ${accountId}`;
        await writeDown(tx, { at, actor, action: 'grant_added', accountId, subject: id, detail: {} });
        return true;
      }),
    async noteUses(uses) {
      for (const [id, at] of uses)
        await db
          .updateTable('provider_records')
          .set({ last_used_at: at })
          .where('kind', '=', KIND)
          .where('id', '=', id)
          .where(row => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', at)]))
          .execute();
    },
    revoke: (accountId, id, at) =>
      transact(db, async tx => {
        const ended = await tx
          .deleteFrom('provider_records')
          .where('kind', '=', KIND)
          .where('id', '=', id)
          .where(row => row.or([row('user_id', 'in', subjectsOf(tx, accountId)), row('user_id', '=', accountId)]))
          .returning('id')
          .executeTakeFirst();
        if (ended) {
          await tx.deleteFrom('provider_records').where('grant_id', '=', id).execute();
          const actor = `account ${accountId}`;
          await writeDown(tx, { at, actor, action: 'grant_revoked', accountId, subject: id, detail: {} });
          return true;
        }
        // The trail outlives the record, so it tells a second call from a grant that somebody else has.
        return isRecorded(tx, accountId, 'grant_revoked', id);
      }),
  };
}
