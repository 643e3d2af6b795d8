import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Release } from '../../query/release/open-release.ts';
import { partitionsInOrder, rowsPath } from '../postgis/load.ts';
import { COLUMNS, quoted } from '../postgis/schema.ts';

const TYPES: Readonly<Record<string, string>> = { float8: 'REAL', int8: 'INTEGER', boolean: 'INTEGER' };
/** How DuckDB hands a column over, so that SQLite keeps it as it is answered. */
const READ: Readonly<Record<string, (column: string) => string>> = {
  boolean: column => `CAST(${column} AS INTEGER)`,
  date: column => `CAST(${column} AS VARCHAR)`,
  timestamptz: column => `strftime(make_timestamp_ms(epoch_ms(${column})), '%Y-%m-%dT%H:%M:%S.%gZ')`,
};

/** Opens a database with SpatiaLite. @throws Error when the extension is not installed. */
export function openSpatial(file: string, readOnly: boolean): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly, allowExtension: true });
  try {
    db.loadExtension('mod_spatialite');
  } catch (error) {
    throw new Error(`SpatiaLite is not installed. On Debian: apt-get install libsqlite3-mod-spatialite (${error})`);
  }
  return db;
}

/**
 * Fills a database with the parcels of a release in stored order: their boxes in the table and in an R*Tree, boundaries as
 * SpatiaLite keeps them, and B-trees that begin with what the classes filter by and end with the state or the number, so
 * that the row numbers of a page are found in an index alone.
 * @param path of the file; one that is there is used as it is.
 * @param columns of code, text and number that searches filter by.
 */
export async function loadSqlite(
  path: string,
  home: string,
  release: Release,
  [code, text, number]: readonly [string, string, string],
): Promise<void> {
  if (existsSync(path)) return;
  const begun = `${path}.tmp`;
  rmSync(begun, { force: true });
  const db = openSpatial(begun, false);
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192');
  const columns = Object.entries(COLUMNS);
  const declared = columns.map(([name, type]) =>
    name === 'id' ? 'id INTEGER PRIMARY KEY' : `${quoted(name)} ${TYPES[type] ?? 'TEXT'}`,
  );
  db.exec(
    `CREATE TABLE parcel (${declared.join(', ')}, minx REAL, miny REAL, maxx REAL, maxy REAL, geom BLOB);
     CREATE VIRTUAL TABLE parcel_box USING rtree(id, minx, maxx, miny, maxy); BEGIN`,
  );
  const geometry = `GeomFromWKB(?${columns.length + 1}, 4326)`;
  const insert = db.prepare(
    `INSERT INTO parcel SELECT ${columns.map((_, i) => `?${i + 1}`).join(', ')}, MbrMinX(g), MbrMinY(g), MbrMaxX(g), MbrMaxY(g), g
     FROM (SELECT ${geometry} AS g)`,
  );
  const duck = await (await DuckDBInstance.create(':memory:')).connect();
  let first = 0;
  for (const partition of partitionsInOrder(release)) {
    const [state, fips] = partition.key.split('/');
    const source = rowsPath(home, partition);
    const described = await duck.runAndReadAll('SELECT name FROM parquet_schema($1)', [source]);
    const present = new Set(described.getRows().map(([name]) => String(name)));
    const values = columns.slice(4).map(([name, type]) => {
      if (!present.has(name)) return 'NULL';
      return READ[type]?.(quoted(name)) ?? quoted(name);
    });
    const rows = await duck.stream(
      `SELECT ord + $first, $state, $fips, $place, ${values.join(', ')}, ST_AsWKB(geometry)::BLOB FROM read_parquet($source) ORDER BY ord`,
      { first: BigInt(first), state: state!, fips: fips!, place: partition.place, source },
    );
    for (let chunk = await rows.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await rows.fetchChunk())
      for (const row of chunk.getRows()) {
        const wkb = (row.pop() as { readonly bytes: Uint8Array }).bytes;
        insert.run(...(row as (string | number | bigint | null)[]), wkb);
      }
    first += partition.rows;
  }
  duck.closeSync();
  const indexes = [
    ['partition_state'],
    ['partition_fips', code],
    ['apn'],
    [text, 'partition_state'],
    [code, number],
    [number, 'partition_state'],
  ];
  db.exec(`COMMIT; INSERT INTO parcel_box SELECT id, minx, maxx, miny, maxy FROM parcel`);
  for (const names of indexes)
    db.exec(`CREATE INDEX ${quoted(names.join(' '))} ON parcel (${names.map(quoted).join(', ')})`);
  db.exec('ANALYZE');
  db.close();
  renameSync(begun, path);
}
