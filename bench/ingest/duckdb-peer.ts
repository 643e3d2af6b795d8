import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/**
 * GDAL and DuckDB make the Parquet file that Plat makes: ogr2ogr reads and projects the published file, its columns as they
 * are, DuckDB writes it with the same compression and row groups.
 * @param source as GDAL names it.
 */
export async function duckdbParquet(source: string, scratch: string): Promise<void> {
  const rows = join(scratch, 'peer.csv');
  const out = join(scratch, 'peer.parquet');
  const options = ['-f', 'CSV', '-t_srs', 'EPSG:4326', '-lco', 'GEOMETRY=AS_WKT', '-lco', 'SEPARATOR=TAB'];
  execFileSync('ogr2ogr', [...options, '-skipfailures', rows, source], { stdio: 'ignore' });
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const db = await instance.connect();
  try {
    await db.run(
      `COPY (SELECT * EXCLUDE (WKT), WKT::GEOMETRY AS geometry FROM read_csv($rows, delim = '\t', header = true,
        max_line_size = 100000000, sample_size = -1))
       TO $out (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 10240)`,
      { rows, out },
    );
  } finally {
    db.closeSync();
    instance.closeSync();
    for (const file of [rows, out]) rmSync(file, { force: true });
  }
}
