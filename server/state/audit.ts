import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { Kysely, Selectable } from 'kysely';
import type { Tables } from './tables.ts';

/** What is written down, with what its detail holds. Nothing that lets anybody in: no token, no secret. */
export const AUDIT_ACTIONS = {
  account_opened: 'An account was made; `plan`.',
  plan_changed: 'An account changed its plan; `from`, `to`.',
  credit_limit_changed: 'The monthly limit that an account set itself changed; `from`, `to`, null for none.',
  token_issued: 'An API token was issued; `expires_at` in epoch seconds.',
  token_revoked: 'An API token was revoked.',
  account_taken_over: 'The first sign-in with its verified e-mail address took an account over; `issuer`.',
  account_disabled: 'An operator disabled an account; its sessions ended.',
  account_enabled: 'An operator enabled an account again.',
  account_deleted: 'An account was deleted with all that is personal; its sums stay.',
  terms_accepted: 'An account accepted the terms of agents; `version`, `sha256`.',
  sessions_ended: 'The sessions of an account were ended; `reason`.',
  settings_changed:
    'A server started with other settings than the one before; those that are not the default, no secrets.',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** One line of the trail. */
interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Who did it: `server`, `command line (USER@HOST)`, or whatever else the caller names. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly accountId: string | null;
  /** What it was done to, where that is not the account: a token's id. */
  readonly subject: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Who did something, when nobody says otherwise. */
export const SERVER = 'server';

/** The user of this machine who runs a command. */
export function commandLine(): string {
  let user = `uid ${process.getuid?.() ?? 'unknown'}`;
  try {
    user = userInfo().username;
  } catch {
    // A container may run under a number that has no name.
  }
  return `command line (${user}@${hostname()})`;
}

/** The trail of what changed who may do what. Entries are written in the transaction of the change and never altered. */
export interface AuditTrail {
  /** Newest first. @param limit at least 1. */
  entries(query: {
    readonly accountId?: string;
    readonly action?: AuditAction;
    readonly since?: number;
    readonly limit: number;
  }): Promise<AuditEntry[]>;
  /** For what is no change of the state store. */
  record(entry: AuditEntry): Promise<void>;
  /** Forgets what is older. @returns how many, at most 1,000. */
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

/** Writes a line of the trail. @param db the transaction of what it tells. */
export async function writeDown(
  db: Kysely<Tables>,
  { at, actor, action, accountId, subject, detail }: AuditEntry,
): Promise<void> {
  await db
    .insertInto('audit')
    .values({ id: randomUUID(), at, actor, action, account_id: accountId, subject, detail: JSON.stringify(detail) })
    .execute();
}

/** The trail over any database that Kysely speaks. */
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
