import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
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
  type SqliteStatement,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Lease } from '../../lease/lease.ts';
import { Turns } from '../../turns.ts';
import { outageOf } from '../outage/cause.ts';
import { requireWanted, type Watch } from '../outage/watch.ts';
import { currentOwner } from './in-name-of.ts';

/** SQLITE_BUSY: another connection is writing. */
const BUSY = 5;
/** Milliseconds to wait for another process when a file is opened. */
const OPEN_WAIT_MS = 5_000;
/** The value of PRAGMA auto_vacuum for incremental mode. */
const INCREMENTAL = 2;

/** SQL that returns rows. Kysely must know before it runs a statement. */
const READER = /^\s*(?:select|with|pragma|values)\b|\breturning\b/i;

/** Statements kept prepared. The store has a few dozen, and preparing most of them costs more than running them. */
const PREPARED = 256;

/**
 * Sets a file to incremental vacuum, so that it can return freed pages in portions. A file without it is rewritten
 * once. When another process has it open, or the disk has no room for a copy, a later start does so.
 */
function vacuumIncrementally(database: DatabaseSync): void {
  // Another process that starts at the same moment may lock the whole file: reading the mode waits for it.
  database.exec(`PRAGMA busy_timeout = ${OPEN_WAIT_MS}`);
  const { auto_vacuum: mode } = database.prepare('PRAGMA auto_vacuum').get() as { auto_vacuum: number };
  if (mode === INCREMENTAL) return;
  try {
    database.exec(`PRAGMA busy_timeout = 0; PRAGMA auto_vacuum = ${INCREMENTAL}; VACUUM`);
  } catch (error) {
    if (outageOf(error) === null) throw error;
  }
}

/** Wraps Node's own SQLite in the interface that Kysely expects, so that no native addon must be installed. */
function openDatabase(file: string): SqliteDatabase {
  const database = new DatabaseSync(file);
  vacuumIncrementally(database);
  // The timeout comes first, because two processes may switch a new file to write-ahead mode at once. NORMAL syncs at
  // checkpoints: a killed process loses nothing, a power failure at most the last moments.
  database.exec(
    `PRAGMA busy_timeout = ${OPEN_WAIT_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;`,
  );
  // A checkpoint waits for the disk. A server has a thread for it (checkpoints.ts): a commit makes one only every 32 MB.
  database.exec('PRAGMA wal_autocheckpoint = 8000');
  // From here on BusyConnection waits. SQLite's own wait would block the event loop, and with it the holder of the
  // lock.
  database.exec('PRAGMA busy_timeout = 0');
  const prepared = new LRUCache<string, SqliteStatement>({ max: PREPARED });
  return {
    close() {
      prepared.clear();
      database.close();
    },
    prepare(sql) {
      let statement = prepared.get(sql);
      if (!statement) {
        const ready = database.prepare(sql);
        const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
        statement = {
          reader: READER.test(sql),
          all: parameters => ready.all(...bind(parameters)),
          run: parameters => ready.run(...bind(parameters)),
          iterate: parameters => ready.iterate(...bind(parameters)),
        };
        prepared.set(sql, statement);
      }
      return statement;
    },
  };
}

const ROLLBACK = 'rollback';
/** Longest wait for other processes, in milliseconds. With a watch the wait ends sooner. */
const BUSY_LIMIT_MS = 10_000;

/**
 * A connection that repeats a statement while another process holds the write lock. A refused statement did nothing.
 */
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
        // SQLite rolls back by itself when the disk is full.
        if (query.sql === ROLLBACK && /no transaction is active/.test((error as Error).message)) return { rows: [] };
        if ((error as { readonly errcode?: unknown }).errcode !== BUSY || performance.now() >= end) throw error;
        await sleep(1 + Math.random() * 4);
      }
  }
  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#inner.streamQuery<R>(query, chunkSize);
  }
}

/** Takes the write lock at the start of each transaction. All of them write, and would otherwise fail halfway. */
class ImmediateDriver extends SqliteDriver {
  readonly #watch: Watch | null;
  /** SQLite answers at once, and has one connection. */
  readonly #turns = new Turns();
  /** The turn of whoever has the connection. */
  #turn: Lease | null = null;
  constructor(config: SqliteDialectConfig, watch: Watch | null) {
    super(config);
    this.#watch = watch;
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#turn = await this.#turns.take(currentOwner());
    try {
      return new BusyConnection(await super.acquireConnection(), this.#watch);
    } catch (error) {
      await this.releaseConnection();
      throw error;
    }
  }
  override async releaseConnection(): Promise<void> {
    this.#turn?.release();
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** Lets Kysely run migrations in a transaction, which SQLite supports and Kysely turns off by default. */
class TransactionalAdapter extends SqliteAdapter {
  /** There is one, which the driver lends in turns. Kysely would wake all who wait each time that it is free. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
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
 * @param watch is told of every statement that has finished.
 * @throws Error from SQLite when the file cannot be opened.
 */
export function nodeSqlite(file: string, watch: Watch | null = null): SqliteDialect {
  return new NodeSqliteDialect({ database: openDatabase(file) }, watch);
}
