import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';

/** A key that signs receipts, as it is stored. Times are epoch milliseconds. */
export interface ReceiptKeyRow {
  readonly id: string;
  /** `x` of its JWK (RFC 8037). */
  readonly publicKey: string;
  /** JWK with its private half, encrypted; null once it signs no more. */
  readonly sealed: string | null;
  readonly signsFrom: number;
  readonly signedUntil: number | null;
}

/** Keys that all servers of a state store sign receipts with. */
export interface ReceiptKeyRecords {
  /** Every key there ever was, the newest first. */
  keys(): Promise<ReceiptKeyRow[]>;
  /** Stores a key. */
  add(key: ReceiptKeyRow): Promise<void>;
  /** Stores a key that signs from now on in the place of all others, whose private halves are deleted. */
  rotate(key: ReceiptKeyRow): Promise<void>;
}

const toRow = (row: Selectable<Tables['receipt_keys']>): ReceiptKeyRow => ({
  id: row.id,
  publicKey: row.public_key,
  sealed: row.sealed,
  signsFrom: row.signs_from,
  signedUntil: row.signed_until,
});

/** Keys of receipts over any Kysely database. */
export function receiptKeysIn(db: Kysely<Tables>): ReceiptKeyRecords {
  const insert = (into: Kysely<Tables>, { id, publicKey, sealed, signsFrom, signedUntil }: ReceiptKeyRow) =>
    into
      .insertInto('receipt_keys')
      .values({ id, public_key: publicKey, sealed, signs_from: signsFrom, signed_until: signedUntil })
      .execute();
  return {
    async keys() {
      const rows = await db
        .selectFrom('receipt_keys')
        .selectAll()
        .orderBy('signs_from', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(toRow);
    },
    async add(key) {
      await insert(db, key);
    },
    rotate: key =>
      transact(db, async tx => {
        await tx
          .updateTable('receipt_keys')
          .set({ sealed: null, signed_until: key.signsFrom })
          .where('signed_until', 'is', null)
          .execute();
        await insert(tx, key);
      }),
  };
}
