import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import type { StagedFile } from '../../../query/release/home/store.ts';

/** A parcel that is gone: its key, and the number and shape by which it would be recognised. */
type EndedParcel = readonly [key: string, number: string | null, hash: string | null];

/**
 * Creates and fills the table `ended` with the parcels that were gone in the release before.
 * @param paths NDJSON, as `writeEnded` writes it.
 */
export async function loadEnded(db: DuckDBConnection, paths: readonly string[]): Promise<void> {
  await db.run('CREATE TEMP TABLE ended (key VARCHAR, number VARCHAR, hash VARCHAR)');
  const appender = await db.createAppender('ended', null, 'temp');
  try {
    for (const path of paths)
      for (const line of readFileSync(path, 'utf8').split('\n')) {
        if (line === '') continue;
        for (const value of JSON.parse(line) as EndedParcel) appender.appendValue(value, VARCHAR);
        appender.endRow();
      }
  } finally {
    appender.closeSync();
  }
}

/**
 * Writes the keys of parcels that are gone: those of the release before that `ordered` lacks, and those that had ended already.
 * They are few, and do not depend on the order of the parcels.
 * @returns the file; null if there is no such key.
 */
export async function writeEnded(db: DuckDBConnection, path: string): Promise<StagedFile | null> {
  const reader = await db.runAndReadAll(
    `SELECT DISTINCT key, number, hash FROM (SELECT key, number, hash FROM previous UNION ALL SELECT * FROM ended)
     ANTI JOIN ordered USING (key) ORDER BY ALL`,
  );
  const rows = reader.getRows() as unknown as EndedParcel[];
  if (rows.length === 0) return null;
  await writeFile(path, rows.map(row => `${JSON.stringify(row)}\n`).join(''));
  return { role: 'ended', path, rows: rows.length };
}
