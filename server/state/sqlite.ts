import { Kysely } from 'kysely';
import { storeIn } from './database.ts';
import { nodeSqlite } from './dialect.ts';
import { migrate } from './migrations.ts';
import type { Watch } from './outage/watch.ts';
import type { StateStore } from './store.ts';
import type { Tables } from './tables.ts';

/**
 * Opens (and migrates) the state store in an SQLite file.
 * @param file `:memory:` or a path.
 * @param watch hears of every statement that was done.
 * @throws Error when a migration fails.
 */
export async function openSqlite(file: string, watch: Watch | null = null): Promise<StateStore> {
  const db = new Kysely<Tables>({ dialect: nodeSqlite(file, watch) });
  try {
    await db.transaction().execute(tx => migrate(tx));
  } catch (cause) {
    await db.destroy();
    throw new Error(`State store ${file}: its tables could not be brought up to date`, { cause });
  }
  return storeIn(db);
}
