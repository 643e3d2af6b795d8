import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** Bytes of a piece, but the last of a name. */
export const PIECE_BYTES = 256 * 1024;
/** Name of the rows of an upload, and of the parts of an export that is under way. */
export const PARTS = 'parts';

interface NewPiece {
  readonly accountId: string;
  /** The upload or export. */
  readonly owner: string;
  readonly name: string;
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** Bytes of uploads and exports in pieces. */
export interface StoredPieces {
  /** A piece; null where there is none. */
  piece(owner: string, name: string, number: number): Promise<Uint8Array | null>;
  /** Stores a piece in the place of one that may be there. */
  keep(piece: NewPiece): Promise<void>;
  /** Deletes some pieces of a name, from a number on. @returns whether there may be more. */
  drop(owner: string, name: string, from?: number): Promise<boolean>;
}

/** Pieces that are deleted at once: others write meanwhile. */
const DROPPED = 50;

/** Deletes some pieces of owners that are gone. @returns how many. */
export async function dropOrphans(db: Kysely<Tables>, owners: readonly string[]): Promise<void> {
  if (owners.length === 0) return;
  await db.deleteFrom('stored_pieces').where('owner_id', 'in', owners).execute();
}

/** Pieces over any Kysely database. */
export function piecesIn(db: Kysely<Tables>): StoredPieces {
  return {
    async piece(owner, name, number) {
      const row = await db
        .selectFrom('stored_pieces')
        .select('bytes')
        .where('owner_id', '=', owner)
        .where('name', '=', name)
        .where('number', '=', number)
        .executeTakeFirst();
      return row?.bytes ?? null;
    },
    async keep({ accountId, owner, name, number, bytes }) {
      await db
        .insertInto('stored_pieces')
        .values({ account_id: accountId, owner_id: owner, name, number, bytes })
        .onConflict(conflict =>
          conflict.columns(['owner_id', 'name', 'number']).doUpdateSet(row => ({ bytes: row.ref('excluded.bytes') })),
        )
        .execute();
    },
    async drop(owner, name, from = 0) {
      const numbers = db
        .selectFrom('stored_pieces')
        .select('number')
        .where('owner_id', '=', owner)
        .where('name', '=', name)
        .where('number', '>=', from)
        .limit(DROPPED);
      const { numDeletedRows } = await db
        .deleteFrom('stored_pieces')
        .where('owner_id', '=', owner)
        .where('name', '=', name)
        .where('number', 'in', numbers)
        .executeTakeFirst();
      return Number(numDeletedRows) === DROPPED;
    },
  };
}
