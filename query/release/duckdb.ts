import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

let database: Promise<DuckDBInstance> | null = null;
let limitMb: number | null = null;

/** Bounds the memory of this thread's DuckDB, which by itself may take most of the machine's. Call it before the first connection. */
export function boundDuckdb(megabytes: number): void {
  limitMb = megabytes;
}

/**
 * A new connection to the one in-memory DuckDB of this thread, which is made on first use. With one thread and the insertion
 * order kept, rows of a Parquet file come in file order.
 */
export async function connectDuckdb(): Promise<DuckDBConnection> {
  database ??= DuckDBInstance.create(':memory:', {
    threads: '1',
    preserve_insertion_order: 'true',
    ...(limitMb === null ? {} : { memory_limit: `${limitMb}MB` }),
  });
  // The next one tries again.
  database.catch(() => {
    database = null;
  });
  const connection = await (await database).connect();
  await connection.run('SET parquet_metadata_cache=true');
  return connection;
}
