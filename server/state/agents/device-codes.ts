import { type Kysely, sql } from 'kysely';
import type { Account } from '../account.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import { addTokenIn, type TokenRow } from './token-rows.ts';

/** The client that asks for a login. */
export interface DeviceClient {
  readonly name: string;
  /** Its IP address. */
  readonly address: string;
}

/** A login that waits for approval. Instants are epoch milliseconds. */
export interface PendingDevice {
  readonly client: DeviceClient;
  readonly createdAt: number;
}

/** A new login. Its codes are digests. */
interface NewDevice {
  readonly hash: string;
  readonly userCodeHash: string;
  readonly client: DeviceClient;
  readonly intervalMs: number;
  readonly now: number;
  readonly expiresAt: number;
}

/** The state of a login that a poll finds. */
type DeviceVerdict =
  | { readonly kind: 'pending'; readonly intervalMs: number }
  | { readonly kind: 'slow_down'; readonly intervalMs: number }
  | { readonly kind: 'denied' }
  | { readonly kind: 'over' }
  | { readonly kind: 'approved'; readonly account: Account; readonly client: DeviceClient };

/** Logins of the device flow (RFC 8628). */
export interface DeviceCodes {
  /** @returns false when another running login has this user code. */
  begin(device: NewDevice): Promise<boolean>;
  /** Counts a poll. @param slowerMs milliseconds added to the interval each time a poll comes too early. */
  poll(hash: string, now: number, slowerMs: number): Promise<DeviceVerdict>;
  /** Stores the token of an approved login, once: of several calls at once only one succeeds. */
  take(hash: string, token: TokenRow, now: number): Promise<boolean>;
  /** The waiting login of a user code, or null. */
  pending(userCodeHash: string, now: number): Promise<PendingDevice | null>;
  /** Approves or denies a waiting login. @returns false when it was not waiting. */
  decide(userCodeHash: string, accountId: string, allowed: boolean, now: number): Promise<boolean>;
  /** Deletes expired logins. @returns how many, at most 1,000. */
  prune(now: number): Promise<number>;
}

/** Device logins over any Kysely database. */
export function deviceCodesIn(db: Kysely<Tables>): DeviceCodes {
  return {
    async begin({ hash, userCodeHash, client, intervalMs, now, expiresAt }) {
      const inserted = await db
        .insertInto('device_codes')
        .values({
          hash,
          user_code_hash: userCodeHash,
          client: JSON.stringify(client),
          status: 'pending',
          account_id: null,
          interval_ms: intervalMs,
          next_poll_at: now,
          created_at: now,
          expires_at: expiresAt,
        })
        .onConflict(conflict => conflict.doNothing())
        .returning('hash')
        .executeTakeFirst();
      return inserted !== undefined;
    },
    async poll(hash, now, slowerMs) {
      const row = await db
        .selectFrom('device_codes')
        .leftJoin('accounts', 'accounts.id', 'device_codes.account_id')
        .select(['status', 'client', 'interval_ms', 'accounts.id', 'accounts.email', 'accounts.plan', 'disabled_at'])
        .where('hash', '=', hash)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (!row || row.status === 'used') return { kind: 'over' };
      if (row.status === 'denied') return { kind: 'denied' };
      if (row.status === 'approved')
        return row.id === null || row.disabled_at !== null
          ? { kind: 'denied' }
          : {
              kind: 'approved',
              account: { id: row.id, email: row.email!, plan: row.plan! },
              client: JSON.parse(row.client) as DeviceClient,
            };
      const { numUpdatedRows } = await db
        .updateTable('device_codes')
        .set({ next_poll_at: sql`${now} + interval_ms` })
        .where('hash', '=', hash)
        .where('next_poll_at', '<=', now)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return { kind: 'pending', intervalMs: row.interval_ms };
      const slowed = await db
        .updateTable('device_codes')
        .set({ interval_ms: sql`interval_ms + ${slowerMs}` })
        .where('hash', '=', hash)
        .returning('interval_ms')
        .executeTakeFirst();
      return { kind: 'slow_down', intervalMs: slowed?.interval_ms ?? row.interval_ms };
    },
    take: (hash, token, now) =>
      transact(db, async tx => {
        const taken = await tx
          .updateTable('device_codes')
          .set({ status: 'used' })
          .where('hash', '=', hash)
          .where('status', '=', 'approved')
          .where('account_id', '=', token.accountId)
          .where('expires_at', '>', now)
          .returning('hash')
          .executeTakeFirst();
        if (taken) await addTokenIn(tx, token, `account ${token.accountId}`);
        return taken !== undefined;
      }),
    async pending(userCodeHash, now) {
      const row = await db
        .selectFrom('device_codes')
        .select(['client', 'created_at'])
        .where('user_code_hash', '=', userCodeHash)
        .where('status', '=', 'pending')
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row ? { client: JSON.parse(row.client) as DeviceClient, createdAt: row.created_at } : null;
    },
    async decide(userCodeHash, accountId, allowed, now) {
      const { numUpdatedRows } = await db
        .updateTable('device_codes')
        .set({ status: allowed ? 'approved' : 'denied', account_id: accountId })
        .where('user_code_hash', '=', userCodeHash)
        .where('status', '=', 'pending')
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async prune(now) {
      const old = db.selectFrom('device_codes').select('hash').where('expires_at', '<=', now).limit(1_000);
      const { numDeletedRows } = await db.deleteFrom('device_codes').where('hash', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
