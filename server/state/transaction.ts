import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** SQLSTATE codes of a deadlock and a serialization failure. Trying again cures both. */
const ENDED_BY_THE_DATABASE = new Set(['40P01', '40001']);
const ATTEMPTS = 5;

/**
 * Runs work in one transaction. Starts again when the database gave it up for another one.
 * @param work must have no effect outside the transaction.
 */
export async function transact<T>(db: Kysely<Tables>, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      const code = (error as { readonly code?: unknown }).code;
      if (attempt === ATTEMPTS || typeof code !== 'string' || !ENDED_BY_THE_DATABASE.has(code)) throw error;
    }
}
