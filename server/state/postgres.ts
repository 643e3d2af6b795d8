import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Db } from 'pg-boss';
import { notifiedChanges } from './changes/notified.ts';
import { storeIn } from './database.ts';
import { pgBossJobs } from './jobs/pg-boss.ts';
import { migrate, NewerTables } from './migrations.ts';
import { outageOf } from './outage/cause.ts';
import { LONGEST_MS, requireWanted, type Watch } from './outage/watch.ts';
import { databaseOn, lockMigrations } from './postgres/dialect.ts';
import { NUMBERS } from './postgres-numbers.ts';
import type { StateStore } from './store.ts';
import type { Tables } from './tables.ts';

const CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;

/** Makes an error with the code of what failed, or the driver's message, but without the URL, which may hold a password. */
function failure(what: string, cause: unknown): Error {
  const { code, message } = cause as { readonly code?: string; readonly message?: string };
  return new Error(`PLAT_STATE_URL: ${what} (${code ?? message ?? 'no reason given'})`, { cause });
}

/** Why a database cannot be used. What it says itself, or a pooler before it, is told in its own words: they repeat no password. */
const unusable = (cause: unknown): Error =>
  cause instanceof pg.DatabaseError
    ? failure(`the connection was refused: ${cause.message}`, cause)
    : failure('the database cannot be reached', cause);

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'plat',
    types: NUMBERS,
  });
  // A connection that the database closes reports the error to its next user, or is replaced when it is idle. Without
  // these listeners it would end the process.
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}

/** Ends a connection without waiting for the other side. */
function destroy(client: pg.PoolClient): void {
  (client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }).connection.stream.destroy();
}

/** A pool that reports statements to a watch, can cut its busy connections, and drops broken ones. */
function watchedPool(pool: pg.Pool, watch: Watch): PostgresPool {
  const busy = new Set<pg.PoolClient>();
  watch.cut = () => {
    for (const client of busy) destroy(client);
  };
  const watchedClient = (client: pg.PoolClient): PostgresPoolClient => {
    let broken = false;
    const query = async (sql: string, parameters: readonly unknown[]) => {
      try {
        if (sql !== 'rollback') requireWanted();
        const result = await client.query(sql, parameters as unknown[]);
        watch.progress();
        return result;
      } catch (error) {
        broken ||= outageOf(error) === 'store';
        // The transaction ended with its connection. The earlier error is the one to report.
        if (sql === 'rollback' && broken) return { command: 'ROLLBACK', rowCount: 0, rows: [] };
        throw error;
      }
    };
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release(discard) {
        busy.delete(client);
        client.release(discard === true || broken);
      },
    };
  };
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      busy.add(client);
      return watchedClient(client);
    },
    end: () => pool.end(),
  };
}

/**
 * Runs pg-boss's statements on a pool of the state store. Some texts hold several statements, which Kysely cannot run.
 */
const plainly = (pool: PostgresPool): Db => ({
  async executeSql(text, values = []) {
    const client = await pool.connect();
    let whole = false;
    try {
      const result: unknown = await client.query(text, values);
      whole = true;
      const parts = (Array.isArray(result) ? result : [result]) as { readonly rows?: readonly unknown[] }[];
      return { rows: parts.flatMap(({ rows }) => rows ?? []) };
    } finally {
      // A text that failed halfway leaves an open transaction.
      (client as { release(discard?: boolean): void }).release(!whole);
    }
  },
});

function assembled(db: Kysely<Tables>, pool: PostgresPool, url: string): StateStore {
  const changes = notifiedChanges(url);
  // The next round repeats what fails in the background.
  return storeIn(db, { changes, jobs: pgBossJobs(db, changes, plainly(pool), () => {}) });
}

/**
 * Opens (and migrates) the state store in a PostgreSQL database.
 * @param url `postgres://…` or `postgresql://…`.
 * @param watch watches every statement. Without one, statements may take any time.
 * @throws Error that never repeats the URL when the database cannot be reached or a migration fails.
 */
export async function openPostgres(url: string, watch: Watch | null = null): Promise<StateStore> {
  const pool = openPool(url);
  // Migrations may take long.
  const db = databaseOn(pool, null);
  try {
    await pool.query('select 1').catch(cause => {
      throw unusable(cause);
    });
    await db
      .transaction()
      .execute(async tx => {
        await lockMigrations(tx);
        await migrate(tx);
      })
      .catch(cause => {
        if (cause instanceof NewerTables) throw new Error(`PLAT_STATE_URL: ${cause.message}`, { cause });
        throw failure('its tables could not be brought up to date', cause);
      });
  } catch (error) {
    await db.destroy();
    throw error;
  }
  if (!watch) return assembled(db, pool, url);
  const serving = watchedPool(pool, watch);
  return assembled(databaseOn(serving, LONGEST_MS), serving, url);
}
