import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { storeIn } from './database.ts';
import { migrate } from './migrations.ts';
import type { StateStore } from './store.ts';
import type { Tables } from './tables.ts';

const CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** OID of bigint, which the driver gives as text; no number of this store passes 2^53. */
const BIGINT = 20;

/** Says what the driver said, without the address, which may hold a password. */
function failure(what: string, cause: unknown): Error {
  const { code, message } = cause as { readonly code?: string; readonly message?: string };
  return new Error(`PLAT_STATE_URL: ${what} (${code ?? message ?? 'no reason given'})`, { cause });
}

/**
 * Opens (and migrates) the state store in a PostgreSQL database.
 * @param url `postgres://…` or `postgresql://…`.
 * @throws Error that never repeats the URL when the database cannot be reached or a migration fails.
 */
export async function openPostgres(url: string): Promise<StateStore> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'plat',
    types: {
      getTypeParser: ((oid: number, format: 'text' | 'binary') =>
        oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  });
  // An idle connection that the database ends is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {});
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await pool.query('select 1').catch(cause => {
      throw failure('the database cannot be reached', cause);
    });
    await migrate(db).catch(cause => {
      throw failure('its tables could not be brought up to date', cause);
    });
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return storeIn(db);
}
