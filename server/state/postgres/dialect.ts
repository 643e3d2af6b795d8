import {
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
  type Transaction,
} from 'kysely';
import type { Tables } from '../tables.ts';

/** Kysely's own number for its lock of migrations, so that builds which lock a connection with it wait too. */
const MIGRATION_LOCK = 3_853_314_791_062_309_107n;

/**
 * Lets one transaction at a time go on from here, of all that migrate. The lock ends with its transaction: one of a connection
 * would stay behind a pooler, which lends the connection to others.
 */
export async function lockMigrations(tx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx);
}

/** Takes no lock of a connection for migrations: `lockMigrations` is called before. */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new Adapter();
  }
}

/** What Kysely begins a transaction with. */
const BEGINNING = /^(?:begin|start transaction)\b/;

/**
 * A pool whose statements, and transactions that wait for their client, are ended by the database after a while. The limits are
 * set in each transaction, and a statement without one gets one: a pooler knows no limits of connections.
 */
function limitedPool(pool: PostgresPool, ms: number): PostgresPool {
  const limits = `set local statement_timeout = ${ms}; set local idle_in_transaction_session_timeout = ${ms}`;
  const limitedClient = (client: PostgresPoolClient): PostgresPoolClient => {
    let isOpen = false;
    const query = async (text: string, parameters: readonly unknown[]) => {
      if (BEGINNING.test(text)) {
        isOpen = true;
        return client.query(`${text}; ${limits}`, []);
      }
      if (isOpen) {
        if (text === 'commit' || text === 'rollback') isOpen = false;
        return client.query(text, parameters);
      }
      await client.query(`begin; ${limits}`, []);
      try {
        const result = await client.query(text, parameters);
        await client.query('commit', []);
        return result;
      } catch (error) {
        await client.query('rollback', []);
        throw error;
      }
    };
    return { query: query as unknown as PostgresPoolClient['query'], release: discard => client.release(discard) };
  };
  return { ...pool, connect: async () => limitedClient(await pool.connect()) };
}

/**
 * Statements on a pool of PostgreSQL, none of which relies on more of its connection than its transaction.
 * @param limitMs milliseconds after which the database ends a statement, and a transaction that does nothing; null for any time.
 */
export function databaseOn(pool: PostgresPool, limitMs: number | null): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new Dialect({ pool: limitMs === null ? pool : limitedPool(pool, limitMs) }) });
}
