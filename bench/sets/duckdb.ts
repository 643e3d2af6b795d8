import { DOUBLE, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';

/** DuckDB over the GeoParquet files of a release, with one thread, as a worker of Plat has it. */
export interface ScanSide {
  /** @param text a statement over `parcel`, with $1 and so on. @returns its rows. */
  ask(text: string, values: readonly unknown[]): Promise<readonly unknown[]>;
  close(): void;
}

/** Opens it. @param files of parcels, in stored order. */
export async function scanSide(files: readonly string[]): Promise<ScanSide> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const db = await instance.connect();
  await db.run('SET parquet_metadata_cache=true');
  const list = files.map(file => `'${file.replaceAll("'", "''")}'`).join(', ');
  await db.run(`CREATE VIEW parcel AS SELECT * EXCLUDE (geometry) FROM read_parquet([${list}])`);
  return {
    async ask(text, values) {
      const bound = Object.fromEntries(values.map((value, i) => [String(i + 1), value as DuckDBValue]));
      const types = Object.fromEntries(
        values.flatMap((value, i) => (typeof value === 'number' ? [[String(i + 1), DOUBLE]] : [])),
      );
      const rows = (await db.runAndReadAll(text, bound, types)).getRowsJS();
      return rows.map(row => row.map(value => (typeof value === 'bigint' ? Number(value) : value)));
    },
    close() {
      db.closeSync();
      instance.closeSync();
    },
  };
}
