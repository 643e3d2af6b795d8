import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** About what a charge writes, so that a disk that is too full for one is too full for the other. */
const FILLER = 20_000;

/** A write that means nothing: it tells whether charges would be kept. */
export async function writeProbe(db: Kysely<Tables>): Promise<void> {
  const at = Date.now();
  const row = { at, filler: String(at % 10).repeat(FILLER) };
  await db
    .insertInto('probe')
    .values({ id: 1, ...row })
    .onConflict(conflict => conflict.column('id').doUpdateSet(row))
    .execute();
}
