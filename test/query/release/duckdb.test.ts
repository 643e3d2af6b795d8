import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it, vi } from 'vitest';

const LIMIT = "SELECT current_setting('memory_limit')";

it('is one database a thread, bounded for tables and for scans together', async () => {
  // Tests before this one may have connected already.
  vi.resetModules();
  const { boundDuckdb } = await import('../../../query/release/duckdb.ts');
  const { chunks } = await import('../../../query/release/duckdb-scan.ts');
  const { duckdb } = await import('../../../query/release/table.ts');
  const scanned = async (text: string) => {
    const rows: unknown[] = [];
    for await (const chunk of chunks({ text, values: {}, types: {} }, () => {})) rows.push(...chunk.getRows());
    return rows;
  };
  const other = await (await DuckDBInstance.create(':memory:', { memory_limit: '200MB' })).connect();
  const expected = (await other.runAndReadAll(LIMIT)).getRows();
  boundDuckdb(200);
  const tables = await duckdb();
  expect((await tables.runAndReadAll(LIMIT)).getRows()).toEqual(expected);
  expect(await scanned(LIMIT)).toEqual(expected);
  await tables.run('CREATE TABLE kept AS SELECT 7 AS seven');
  expect(await scanned('SELECT seven FROM kept')).toEqual([[7]]);
});
