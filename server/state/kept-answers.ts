import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Most bytes of stored answers for one account, compressed. They hold answers for more than a million credits. */
export const KEPT_BYTES = 64 * 1024 * 1024;
/** Answers deleted at once. */
const PORTION = 32;

/** Deleted answers, by account. */
type Forgotten = readonly { readonly account_id: string; readonly answer_bytes: number }[];

/** Subtracts deleted answers from the sums of their accounts. */
export async function subtract(tx: Transaction<Tables>, forgotten: Forgotten): Promise<void> {
  const sums = new Map<string, number>();
  for (const row of forgotten)
    if (row.answer_bytes > 0) sums.set(row.account_id, (sums.get(row.account_id) ?? 0) + row.answer_bytes);
  for (const [accountId, bytes] of sums)
    await tx
      .updateTable('kept_answers')
      .set(row => ({ bytes: row('bytes', '-', bytes) }))
      .where('account_id', '=', accountId)
      .execute();
}

/** Adds a new answer to the sum of its account and deletes the oldest ones over the limit. */
export async function keepWithin(
  tx: Transaction<Tables>,
  { accountId, bytes, most }: { readonly accountId: string; readonly bytes: number; readonly most: number },
): Promise<void> {
  let { bytes: sum } = await tx
    .insertInto('kept_answers')
    .values({ account_id: accountId, bytes })
    .onConflict(conflict =>
      conflict.column('account_id').doUpdateSet(row => ({ bytes: row('kept_answers.bytes', '+', bytes) })),
    )
    .returning('bytes')
    .executeTakeFirstOrThrow();
  while (sum > most) {
    const oldest = await oldestOf(tx, accountId);
    const ids: string[] = [];
    let freed = 0;
    for (const { id, answer_bytes } of oldest) {
      if (sum - freed <= most) break;
      ids.push(id);
      freed += answer_bytes;
    }
    if (ids.length === 0) return;
    const forgotten = await tx
      .deleteFrom('idempotency')
      .where('id', 'in', ids)
      .returning(['account_id', 'answer_bytes'])
      .execute();
    await subtract(tx, forgotten);
    sum -= forgotten.reduce((total, row) => total + row.answer_bytes, 0);
    // Another transaction deleted them at the same time and subtracts them.
    if (forgotten.length === 0) return;
  }
}

const oldestOf = (db: Kysely<Tables>, accountId: string) =>
  db
    .selectFrom('idempotency')
    .select(['id', 'answer_bytes'])
    .where('account_id', '=', accountId)
    .where('answer_bytes', '>', 0)
    .orderBy('expires_at')
    .limit(PORTION)
    .execute();
