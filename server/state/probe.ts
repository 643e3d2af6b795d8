import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Bytes, about as many as a charge writes, so that a full disk refuses both alike. */
const FILLER = 20_000;

/** Writes a row without meaning, to find out whether writes are kept. */
export async function writeProbe(db: Kysely<Tables>): Promise<void> {
  const at = Date.now();
  const row = { at, filler: String(at % 10).repeat(FILLER) };
  await db
    .insertInto('probe')
    .values({ id: 1, ...row })
    .onConflict(conflict => conflict.column('id').doUpdateSet(row))
    .execute();
}
