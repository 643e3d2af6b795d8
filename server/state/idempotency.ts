import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { AHEAD_MS } from './clock-jump.ts';
import { KEPT_BYTES, keepWithin, subtract } from './kept-answers.ts';
import { type Reservation, settleIn } from './ledger.ts';
import { packed, unpacked } from './packed-text.ts';
import type { Tables } from './tables.ts';
import { transact } from './transaction.ts';
import type { Sums } from './usage/usage.ts';

/** The right to execute the request under a key. It ends with its lease, unless it is renewed. */
export interface Claim {
  /** Id of the request, under which it is charged. A takeover keeps it. */
  readonly id: string;
  readonly executor: string;
  /** Whether another executor had it before, which may have filed its work. */
  readonly isTakeover: boolean;
}

/** What a request finds under its key. */
export type Found =
  | { readonly kind: 'execute'; readonly claim: Claim }
  | { readonly kind: 'replay'; readonly response: string }
  | { readonly kind: 'running' }
  | { readonly kind: 'reused' };

export interface KeyedRequest {
  readonly accountId: string;
  readonly endpoint: string;
  readonly key: string;
  /** Digest of the canonical body: equal digests mean the same request. */
  readonly bodyHash: string;
  /** Epoch milliseconds, like the other two. */
  readonly now: number;
  /** Epoch milliseconds after which an executor that has not renewed counts as dead. */
  readonly leaseUntil: number;
  /** Epoch milliseconds from which the key may be used for something else. */
  readonly expiresAt: number;
}

/** Requests by idempotency key: one executor at a time, whose result every later request gets. */
export interface IdempotencyRecords {
  begin(request: KeyedRequest): Promise<Found>;
  /** @returns false when the claim was taken over. */
  renew(claim: Claim, leaseUntil: number): Promise<boolean>;
  /**
   * Stores the result (a text, or its bytes in UTF-8) and settles the charge in one transaction. When the account has more bytes of results than it may
   * keep, its oldest results and their keys are deleted.
   * @returns the sums of the month after the charge, null without one; `lost` when the claim was taken over, `unaffordable` when
   * the reservation had expired and the credits are gone. Nothing changes in both of these cases.
   */
  complete(
    claim: Claim,
    response: string | Uint8Array,
    charge: { readonly reservation: Reservation | null; readonly cost: number; readonly now: number },
  ): Promise<Sums | null | 'lost' | 'unaffordable'>;
  /**
   * Frees the key of a request that was refused or failed, and its reservation. After a takeover it frees the reservation only when the
   * key is free again: until then it is that of the other executor too.
   */
  abandon(claim: Claim, charge: { readonly reservation: Reservation | null; readonly now: number }): Promise<void>;
  /** The result that is stored under a key; null when there is none. */
  stored(key: Pick<KeyedRequest, 'accountId' | 'endpoint' | 'key' | 'now'>): Promise<string | null>;
  /** Deletes what has expired. @returns how many, at most 100. */
  prune(now: number): Promise<number>;
}

/** Thrown to roll a transaction back on purpose. */
class Undo extends Error {}

/** Thrown where another executor has taken a request over: nothing of this one may take effect any more. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

/**
 * Has a transaction take effect only while its request is not taken over. Otherwise one who was slow could file work after the next
 * executor had failed and given its credits back.
 * @throws TakenOver.
 */
export async function requireClaimIn(tx: Transaction<Tables>, { id, executor }: Claim): Promise<void> {
  const mine = await tx
    .updateTable('idempotency')
    .set({ executor })
    .where('id', '=', id)
    .where('executor', '=', executor)
    .where('answer', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!mine) throw new TakenOver('another server has taken the request over');
}

/** Idempotency records over any Kysely database. */
export function idempotencyIn(db: Kysely<Tables>, keptBytes: number = KEPT_BYTES): IdempotencyRecords {
  return {
    async begin({ accountId, endpoint, key, bodyHash, now, leaseUntil, expiresAt }) {
      const claim: Claim = { id: randomUUID(), executor: randomUUID(), isTakeover: false };
      const found = await transact(db, async tx => {
        const forgotten = await tx
          .deleteFrom('idempotency')
          .where('account_id', '=', accountId)
          .where('endpoint', '=', endpoint)
          .where('key', '=', key)
          .where('expires_at', '<=', now)
          .returning(['account_id', 'answer_bytes'])
          .execute();
        await subtract(tx, forgotten);
        const inserted = await tx
          .insertInto('idempotency')
          .values({
            account_id: accountId,
            endpoint,
            key,
            id: claim.id,
            body_hash: bodyHash,
            executor: claim.executor,
            lease_until: leaseUntil,
            expires_at: expiresAt,
            answer: null,
            answer_bytes: 0,
          })
          .onConflict(conflict => conflict.columns(['account_id', 'endpoint', 'key']).doNothing())
          .returning('id')
          .executeTakeFirst();
        if (inserted) return { kind: 'execute', claim } as const;
        const row = await tx
          .selectFrom('idempotency')
          .select(['id', 'body_hash', 'executor', 'lease_until', 'answer'])
          .where('account_id', '=', accountId)
          .where('endpoint', '=', endpoint)
          .where('key', '=', key)
          .executeTakeFirst();
        // Its owner was refused between the two statements. The next try finds the key free.
        if (!row) return { kind: 'running' } as const;
        if (row.body_hash !== bodyHash) return { kind: 'reused' } as const;
        if (row.answer !== null) return { kind: 'replay', answer: row.answer } as const;
        // A lease that ends later than a new one would comes from a clock that was wrong.
        if (row.lease_until > now && row.lease_until <= leaseUntil + AHEAD_MS) return { kind: 'running' } as const;
        const taken = await tx
          .updateTable('idempotency')
          .set({ executor: claim.executor, lease_until: leaseUntil })
          .where('id', '=', row.id)
          .where('executor', '=', row.executor)
          .where('lease_until', '=', row.lease_until)
          .where('answer', 'is', null)
          .returning('id')
          .executeTakeFirst();
        return taken
          ? ({ kind: 'execute', claim: { id: row.id, executor: claim.executor, isTakeover: true } } as const)
          : ({ kind: 'running' } as const);
      });
      return found.kind === 'replay' ? { kind: 'replay', response: await unpacked(found.answer) } : found;
    },
    async renew(claim, leaseUntil) {
      const renewed = await db
        .updateTable('idempotency')
        .set({ lease_until: leaseUntil })
        .where('id', '=', claim.id)
        .where('executor', '=', claim.executor)
        .returning('id')
        .executeTakeFirst();
      return renewed !== undefined;
    },
    async complete(claim, response, { reservation, cost, now }) {
      const answer = await packed(response);
      try {
        return await transact(db, async tx => {
          const filed = await tx
            .updateTable('idempotency')
            .set({ answer, answer_bytes: answer.length })
            .where('id', '=', claim.id)
            .where('executor', '=', claim.executor)
            .where('answer', 'is', null)
            .returning('account_id')
            .executeTakeFirst();
          if (!filed) return 'lost' as const;
          await keepWithin(tx, { accountId: filed.account_id, bytes: answer.length, most: keptBytes });
          if (!reservation) return null;
          const sums = await settleIn(tx, reservation, cost, now);
          if (!sums) throw new Undo();
          return sums;
        });
      } catch (error) {
        if (error instanceof Undo) return 'unaffordable';
        throw error;
      }
    },
    abandon: (claim, { reservation, now }) =>
      transact(db, async tx => {
        const freed = await tx
          .deleteFrom('idempotency')
          .where('id', '=', claim.id)
          .where('executor', '=', claim.executor)
          .where('answer', 'is', null)
          .returning('id')
          .executeTakeFirst();
        // Whoever took it over and freed the key before gave back only what was reserved by then, under the same id.
        const isFree =
          freed ?? !(await tx.selectFrom('idempotency').select('id').where('id', '=', claim.id).executeTakeFirst());
        if (isFree && reservation) await settleIn(tx, reservation, 0, now);
      }),
    async stored({ accountId, endpoint, key, now }) {
      const row = await db
        .selectFrom('idempotency')
        .select('answer')
        .where('account_id', '=', accountId)
        .where('endpoint', '=', endpoint)
        .where('key', '=', key)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row?.answer ? unpacked(row.answer) : null;
    },
    prune: now =>
      transact(db, async tx => {
        const old = tx.selectFrom('idempotency').select('id').where('expires_at', '<=', now).limit(100);
        const forgotten = await tx
          .deleteFrom('idempotency')
          .where('id', 'in', old)
          .returning(['account_id', 'answer_bytes'])
          .execute();
        await subtract(tx, forgotten);
        return forgotten.length;
      }),
  };
}
