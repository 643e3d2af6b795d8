import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { Kysely, Selectable } from 'kysely';
import type { Tables } from './tables.ts';

/** The recorded actions and what their detail holds. The trail never holds a token or a secret. */
export const AUDIT_ACTIONS = {
  account_opened: 'An account was made; `plan`.',
  plan_changed: 'An account changed its plan; `from`, `to`.',
  credit_limit_changed: 'The monthly limit that an account set itself changed; `from`, `to`, null for none.',
  token_issued: 'An API token was issued; `expires_at` in epoch seconds.',
  token_revoked: 'An API token was revoked.',
  grant_added: 'An agent was let in.',
  grant_revoked: 'The grant of an agent was revoked, with all its tokens.',
  account_taken_over: 'The first sign-in with its verified e-mail address took an account over; `issuer`.',
  account_disabled: 'An operator disabled an account; its sessions ended.',
  account_enabled: 'An operator enabled an account again.',
  operator_added: 'The owner of an account may see how the installation stands.',
  operator_removed: 'The owner of an account may see it no more.',
  account_deleted: 'An account was deleted with all that is personal; its sums stay.',
  terms_accepted: 'An account accepted the terms of agents; `version`, `sha256`.',
  receipt_key_rotated: 'Receipts are signed with a new key; its id is the subject.',
  sessions_ended: 'The sessions of an account were ended; `reason`.',
  settings_changed:
    'A server started with other settings than the one before; those that are not the default, no secrets.',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** One entry of the trail. */
interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Who did it: `server`, `command line (USER@HOST)`, or another name that the caller gives. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly accountId: string | null;
  /** The object that was changed, such as the id of a token; null when it is the account itself. */
  readonly subject: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The actor when the caller names none. */
export const SERVER = 'server';

/** The actor for a command: the user of this machine who runs it. */
export function commandLine(): string {
  let user = `uid ${process.getuid?.() ?? 'unknown'}`;
  try {
    user = userInfo().username;
  } catch {
    // In a container the user id may have no name.
  }
  return `command line (${user}@${hostname()})`;
}

/** The audit trail. Entries are written in the transaction of the change that they record, and never altered. */
export interface AuditTrail {
  /** Entries, newest first. @param limit at least 1. */
  entries(query: {
    readonly accountId?: string;
    readonly action?: AuditAction;
    readonly since?: number;
    readonly limit: number;
  }): Promise<AuditEntry[]>;
  /** Records something that does not change the state store. */
  record(entry: AuditEntry): Promise<void>;
  /** Deletes entries older than this. @returns how many, at most 1,000. */
  prune(before: number): Promise<number>;
}

const toEntry = (row: Selectable<Tables['audit']>): AuditEntry => ({
  at: row.at,
  actor: row.actor,
  action: row.action as AuditAction,
  accountId: row.account_id,
  subject: row.subject,
  detail: JSON.parse(row.detail) as Record<string, unknown>,
});

/** Writes an entry of the trail. @param db the transaction of the change that it records. */
export async function writeDown(
  db: Kysely<Tables>,
  { at, actor, action, accountId, subject, detail }: AuditEntry,
): Promise<void> {
  await db
    .insertInto('audit')
    .values({ id: randomUUID(), at, actor, action, account_id: accountId, subject, detail: JSON.stringify(detail) })
    .execute();
}

/** The trail over any Kysely database. */
export function auditIn(db: Kysely<Tables>): AuditTrail {
  return {
    async entries({ accountId, action, since, limit }) {
      let rows = db.selectFrom('audit').selectAll().orderBy('at', 'desc').orderBy('id').limit(limit);
      if (accountId !== undefined) rows = rows.where('account_id', '=', accountId);
      if (action !== undefined) rows = rows.where('action', '=', action);
      if (since !== undefined) rows = rows.where('at', '>=', since);
      return (await rows.execute()).map(toEntry);
    },
    record: entry => writeDown(db, entry),
    async prune(before) {
      const old = db.selectFrom('audit').select('id').where('at', '<', before).limit(1_000);
      const { numDeletedRows } = await db.deleteFrom('audit').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
