import type { Kysely, Transaction } from 'kysely';
import { packed, unpacked } from '../packed-text.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';

/** Most bytes of the receipts of one account, compressed: some tens of thousands of them. */
const ACCOUNT_BYTES = 64 * 1024 * 1024;
/** Receipts that are deleted at once. */
const PORTION = 100;

/** A receipt as it is stored. Times are epoch milliseconds. */
interface ReceiptRow {
  readonly id: string;
  readonly accountId: string;
  /** JSON text. */
  readonly document: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Receipts of the answers that accounts had signed. */
export interface ReceiptRecords {
  /** Stores a receipt, and deletes the oldest ones of its account beyond its bytes. */
  add(receipt: ReceiptRow): Promise<void>;
  /** JSON text of a receipt of the account; null when it belongs to another one, is unknown or has expired. */
  receipt(accountId: string, id: string, now: number): Promise<string | null>;
  /** Deletes what has expired. @returns how many, at most 100. */
  prune(now: number): Promise<number>;
}

/** Deletes receipts and takes their bytes off the sums of their accounts. @returns how many, and their bytes. */
async function forget(tx: Transaction<Tables>, ids: readonly string[]): Promise<{ count: number; bytes: number }> {
  if (ids.length === 0) return { count: 0, bytes: 0 };
  const gone = await tx.deleteFrom('receipts').where('id', 'in', ids).returning(['account_id', 'bytes']).execute();
  const sums = new Map<string, number>();
  for (const { account_id, bytes } of gone) sums.set(account_id, (sums.get(account_id) ?? 0) + bytes);
  for (const [accountId, bytes] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
    await tx
      .updateTable('receipt_bytes')
      .set(row => ({ bytes: row('bytes', '-', bytes) }))
      .where('account_id', '=', accountId)
      .execute();
  return { count: gone.length, bytes: gone.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Receipts over any Kysely database. @param most bytes of one account. */
export function receiptsIn(db: Kysely<Tables>, most = ACCOUNT_BYTES): ReceiptRecords {
  return {
    async add({ id, accountId, document, createdAt, expiresAt }) {
      const text = await packed(document);
      const bytes = text.length;
      await transact(db, async tx => {
        let { bytes: sum } = await tx
          .insertInto('receipt_bytes')
          .values({ account_id: accountId, bytes })
          .onConflict(conflict =>
            conflict.column('account_id').doUpdateSet(row => ({ bytes: row('receipt_bytes.bytes', '+', bytes) })),
          )
          .returning('bytes')
          .executeTakeFirstOrThrow();
        while (sum > most) {
          const oldest = await tx
            .selectFrom('receipts')
            .select(['id', 'bytes'])
            .where('account_id', '=', accountId)
            .orderBy('created_at')
            .orderBy('id')
            .limit(PORTION)
            .execute();
          const ids: string[] = [];
          let freed = 0;
          for (const row of oldest) {
            if (sum - freed <= most) break;
            ids.push(row.id);
            freed += row.bytes;
          }
          const { count, bytes: less } = await forget(tx, ids);
          if (count === 0) break;
          sum -= less;
        }
        await tx
          .insertInto('receipts')
          .values({ id, account_id: accountId, document: text, bytes, created_at: createdAt, expires_at: expiresAt })
          .execute();
      });
    },
    async receipt(accountId, id, now) {
      const row = await db
        .selectFrom('receipts')
        .select('document')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row ? unpacked(row.document) : null;
    },
    prune: now =>
      transact(db, async tx => {
        const old = await tx
          .selectFrom('receipts')
          .select('id')
          .where('expires_at', '<=', now)
          .limit(PORTION)
          .execute();
        const { count } = await forget(
          tx,
          old.map(({ id }) => id),
        );
        return count;
      }),
  };
}
