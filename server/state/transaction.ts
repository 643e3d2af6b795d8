import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * SQLSTATE codes of a deadlock, a serialization failure, and a row that another transaction made first. Trying again cures them: what
 * begins anew sees that row.
 */
const ENDED_BY_THE_DATABASE = new Set(['40P01', '40001', '23505']);
const ATTEMPTS = 5;

/**
 * Thrown within a transaction by what lacks something that is made outside of it. Whoever waited for that with a connection could
 * wait for one that others hold who wait for the same.
 */
export class Unready extends Error {
  /** Makes what is lacking. */
  readonly make: () => Promise<void>;

  constructor(make: () => Promise<void>) {
    super('what this transaction needs was not made yet');
    this.make = make;
  }
}

/**
 * Runs work in one transaction. Starts again when the database gave it up for another one, and when what it lacked was made.
 * @param work must have no effect outside the transaction.
 */
export async function transact<T>(db: Kysely<Tables>, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (error instanceof Unready) {
        await error.make();
        attempt = 0;
        continue;
      }
      const code = (error as { readonly code?: unknown }).code;
      if (attempt === ATTEMPTS || typeof code !== 'string' || !ENDED_BY_THE_DATABASE.has(code)) throw error;
    }
}
