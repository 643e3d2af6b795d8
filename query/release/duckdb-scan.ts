import type { DuckDBConnection, DuckDBDataChunk, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { connectDuckdb } from './duckdb.ts';
import { Fault, Interrupted } from './fault.ts';

let connection: Promise<DuckDBConnection> | null = null;

/** This thread's connection for scans: one holds one open stream. A small buffer lets a stream stop after its first rows. */
function scanner(): Promise<DuckDBConnection> {
  connection ??= connectDuckdb().then(async connection => {
    await connection.run("SET streaming_buffer_size='1KB'");
    return connection;
  });
  // The next one tries again.
  connection.catch(() => {
    connection = null;
  });
  return connection;
}

/** How often a running scan asks whether it is still wanted: milliseconds. */
const WATCH_MS = 10;

/**
 * Streams the result of a statement, a chunk at a time.
 * @param check throws when the result is no longer wanted; the running query is then interrupted within some 10 ms and
 *   what check threw is thrown.
 * @throws Fault when the file cannot be read as Parquet.
 */
export async function* chunks({ text, values, types }: Statement, check: () => void): AsyncGenerator<DuckDBDataChunk> {
  const db = await scanner();
  let stopped: unknown = null;
  const watch = setInterval(() => {
    try {
      check();
    } catch (error) {
      stopped = error;
      // Again each time: an interrupt that comes before the query has begun is lost.
      db.interrupt();
    }
  }, WATCH_MS);
  try {
    check();
    const result = await db.stream(text, values, types);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (stopped) throw stopped;
      if (!chunk || chunk.rowCount === 0) return;
      yield chunk;
    }
  } catch (error) {
    if (stopped) throw stopped;
    if (error instanceof Fault || error instanceof Interrupted) throw error;
    const reason = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    throw new Fault(`a rows file cannot be read as Parquet: ${reason.replaceAll(String(values.path), '…')}`, true);
  } finally {
    clearInterval(watch);
  }
}

/**
 * As chunks, of a statement with one integer column: the rows' `ord`, which must ascend.
 * @throws Fault when the rows do not stand in their order; whatever `check` throws.
 */
export async function* scan(statement: Statement, check: () => void): AsyncGenerator<number[]> {
  let last = -1;
  for await (const chunk of chunks(statement, check)) {
    const ords = (chunk.getColumnValues(0) as bigint[]).map(Number);
    for (const ord of ords) {
      if (!(ord > last)) throw new Fault('the rows of a parcel file do not stand in their stored order');
      last = ord;
    }
    yield ords;
  }
}

/** Text of a statement with its bound values. */
export interface Statement {
  readonly text: string;
  readonly values: Record<string, DuckDBValue>;
  /** Of numbers, whose type would otherwise be guessed from the value. */
  readonly types: Record<string, DuckDBType>;
}
