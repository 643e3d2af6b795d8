import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { outageOf } from './outage/cause.ts';
import { requireWanted, type Watch } from './outage/watch.ts';

/** SQLITE_BUSY: another connection is writing. */
const BUSY = 5;
/** Milliseconds that opening a file waits for another process. */
const OPEN_WAIT_MS = 5_000;
/** Of PRAGMA auto_vacuum. */
const INCREMENTAL = 2;

/** SQL that answers rows; Kysely asks before it runs a statement. */
const READER = /^\s*(?:select|with|pragma|values)\b|\breturning\b/i;

/** Statements kept prepared: the store has a few dozen, and preparing costs more than running most of them. */
const PREPARED = 256;

/**
 * Lets a file give freed pages back a portion at a time. One that was made without is written anew once, unless another
 * process has it open or the disk has no room for a copy: then at a later start.
 */
function vacuumIncrementally(database: DatabaseSync): void {
  // Another process that starts at the same moment may hold the whole file: reading the mode waits for it.
  database.exec(`PRAGMA busy_timeout = ${OPEN_WAIT_MS}`);
  const { auto_vacuum: mode } = database.prepare('PRAGMA auto_vacuum').get() as { auto_vacuum: number };
  if (mode === INCREMENTAL) return;
  try {
    database.exec(`PRAGMA busy_timeout = 0; PRAGMA auto_vacuum = ${INCREMENTAL}; VACUUM`);
  } catch (error) {
    if (outageOf(error) === null) throw error;
  }
}

/** Node's own SQLite in the shape that Kysely's dialect expects of a driver: no native addon to install. */
function openDatabase(file: string): SqliteDatabase {
  const database = new DatabaseSync(file);
  vacuumIncrementally(database);
  // Waiting comes first, because two processes may switch a new file to write-ahead mode at once. NORMAL syncs at
  // checkpoints: the death of the process loses nothing, the death of the machine at most the last moments.
  database.exec(
    `PRAGMA busy_timeout = ${OPEN_WAIT_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;`,
  );
  // A checkpoint waits for the disk; one for every 32 MB written instead of every 4 keeps that out of the 99th percentile.
  database.exec('PRAGMA wal_autocheckpoint = 8000');
  // From here on BusyConnection waits: SQLite's own waiting would stop the event loop, and with it whoever holds the lock.
  database.exec('PRAGMA busy_timeout = 0');
  const prepared = new LRUCache<string, StatementSync>({ max: PREPARED });
  return {
    close() {
      prepared.clear();
      database.close();
    },
    prepare(sql) {
      let statement = prepared.get(sql);
      if (!statement) {
        statement = database.prepare(sql);
        prepared.set(sql, statement);
      }
      const ready = statement;
      const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      return {
        reader: READER.test(sql),
        all: parameters => ready.all(...bind(parameters)),
        run: parameters => ready.run(...bind(parameters)),
        iterate: parameters => ready.iterate(...bind(parameters)),
      };
    },
  };
}

const ROLLBACK = 'rollback';
/** Milliseconds that waiting for other processes may take; a store that is watched is given up sooner. */
const BUSY_LIMIT_MS = 10_000;

/** A connection that tries a statement again while another process holds the write lock; a refused one has done nothing. */
class BusyConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection;
  readonly #watch: Watch | null;
  constructor(inner: DatabaseConnection, watch: Watch | null) {
    this.#inner = inner;
    this.#watch = watch;
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const end = performance.now() + BUSY_LIMIT_MS;
    for (;;)
      try {
        if (query.sql !== ROLLBACK) requireWanted();
        const result = await this.#inner.executeQuery<R>(query);
        this.#watch?.progress();
        return result;
      } catch (error) {
        // A transaction that the disk was too full for is rolled back already.
        if (query.sql === ROLLBACK && /no transaction is active/.test((error as Error).message)) return { rows: [] };
        if ((error as { readonly errcode?: unknown }).errcode !== BUSY || performance.now() >= end) throw error;
        await sleep(1 + Math.random() * 4);
      }
  }
  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#inner.streamQuery<R>(query, chunkSize);
  }
}

/** Every transaction of the store writes: taking the write lock at its start waits for it instead of failing halfway. */
class ImmediateDriver extends SqliteDriver {
  readonly #watch: Watch | null;
  constructor(config: SqliteDialectConfig, watch: Watch | null) {
    super(config);
    this.#watch = watch;
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new BusyConnection(await super.acquireConnection(), this.#watch);
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** SQLite rolls table changes back like any other; Kysely leaves it off for databases of before it trusted that. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #watch: Watch | null;
  constructor(config: SqliteDialectConfig, watch: Watch | null) {
    super(config);
    this.#config = config;
    this.#watch = watch;
  }
  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#config, this.#watch);
  }
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/**
 * A Kysely dialect over node:sqlite, in write-ahead mode.
 * @param file database file, made when missing; `:memory:` for tests.
 * @param watch hears of every statement that was done.
 * @throws Error from SQLite when the file cannot be opened.
 */
export function nodeSqlite(file: string, watch: Watch | null = null): SqliteDialect {
  return new NodeSqliteDialect({ database: openDatabase(file) }, watch);
}
