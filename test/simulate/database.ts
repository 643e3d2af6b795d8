import { type CompiledQuery, type DatabaseConnection, type QueryResult, SqliteDriver } from 'kysely';
import { schedulerHere } from './platform.ts';
import { type Party, partyHere, type Scheduler } from './scheduler.ts';

const WRITES = /^\s*(?:insert|update|delete|with)\b/i;

/** What is said when a statement could not be executed, or nobody knows whether it was. */
const UNDONE = /disk is full|Connection terminated|no transaction is active|within a transaction|database is locked/;

/** Whether an error comes of what goes wrong on purpose. */
export const isTrouble = (error: unknown): boolean => UNDONE.test(String(error));

/** An error as SQLite says it. */
const sqliteError = (errcode: number, message: string): Error =>
  Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });

const FULL = () => sqliteError(13, 'database or disk is full');
const BROKEN = () => Object.assign(new Error('Connection terminated unexpectedly'), { code: '08006' });

/**
 * A connection whose answers come in one of the next steps, or never. A full disk refuses what writes, and undoes the transaction as
 * SQLite may. A connection that breaks loses a statement, or the answer to a commit that took place.
 */
class SimulatedConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection;
  #inTransaction = false;

  constructor(inner: DatabaseConnection) {
    this.#inner = inner;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const [by, party] = [schedulerHere(), partyHere()];
    if (!by) return this.#inner.executeQuery<R>(query);
    if (!party.alive) return new Promise(() => {});
    const answer = this.#execute<R>(query, by, party).then(
      result => ({ result }),
      (error: unknown) => ({ error }),
    );
    await by.turn(party);
    const said = await answer;
    if ('error' in said) throw said.error;
    return said.result;
  }

  async #execute<R>(query: CompiledQuery, by: Scheduler, party: Party): Promise<QueryResult<R>> {
    const { sql } = query;
    const fails = by.draw(3, 5) === 0;
    if (by.diskIsFull && fails && (WRITES.test(sql) || sql === 'commit')) {
      if (by.draw(2, 6) === 0) await this.#undo();
      throw FULL();
    }
    const breaks = party.trouble === 'breaks' && fails;
    if (breaks && sql !== 'commit') {
      await this.#undo();
      throw BROKEN();
    }
    const result = await this.#inner.executeQuery<R>(query);
    if (sql === 'begin immediate') this.#inTransaction = true;
    if (sql === 'commit' || sql === 'rollback') this.#inTransaction = false;
    if (breaks) throw BROKEN();
    return result;
  }

  async #undo(): Promise<void> {
    if (!this.#inTransaction) return;
    this.#inTransaction = false;
    await this.#inner.executeQuery({ sql: 'rollback', parameters: [] } as unknown as CompiledQuery);
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The store streams nothing');
  }
}

/** Puts such connections between the store and SQLite. */
export function simulateConnections(): void {
  const acquire = SqliteDriver.prototype.acquireConnection;
  const simulated = new WeakMap<DatabaseConnection, DatabaseConnection>();
  SqliteDriver.prototype.acquireConnection = async function () {
    const inner = await acquire.call(this);
    const before = simulated.get(inner);
    if (before) return before;
    const connection = new SimulatedConnection(inner);
    simulated.set(inner, connection);
    return connection;
  };
}
