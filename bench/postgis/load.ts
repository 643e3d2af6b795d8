import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import type { Partition } from '../../datasets/release.ts';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import type { Release } from '../../query/release/open-release.ts';
import { compareCounties } from '../../query/search/request/position.ts';
import { calculatedFields, calculatedFiles, calculationIndexes, calculationTable } from './calculation.ts';
import { COLUMNS, FUNCTION_COSTS, indexes, quoted, TABLE } from './schema.ts';

/** What the database must hold to be used again. */
const mark = (release: Release, statements: readonly string[]) => JSON.stringify([release.id, COLUMNS, statements]);

/** Parcel partitions of a release in stored order. */
export function partitionsInOrder(release: Release): Partition[] {
  const keyOf = ({ key }: Partition) => ({ state: key.split('/')[0]!, fips: key.split('/')[1]! });
  return [...(release.layer(PARCELS.dataset, PARCELS.layer)?.partitions ?? [])].sort((a, b) =>
    compareCounties(keyOf(a), keyOf(b)),
  );
}

/** Path of a partition's Parquet file. */
export function rowsPath(home: string, partition: Partition): string {
  return join(home, 'releases', partition.files.find(file => file.role === 'rows')!.path);
}

/** Columns of the fields, each from its file, with their codes or without. */
const selection = (fields: readonly string[], origin: ReadonlyMap<string, number>, codes: boolean) =>
  fields
    .flatMap(name => {
      const own = `t${origin.get(name)}.${quoted(name)}`;
      return codes ? [own, `t${origin.get(name)}.${quoted(`${name}:code`)}`] : [own];
    })
    .join(', ');

/**
 * Fills a database with the parcels of a release, row for row, through COPY, then indexes and VACUUM ANALYZE. A
 * database that holds them already is left as it is.
 * @param url of the database. @param folder that both this process and the server can read; emptied afterwards.
 */
export async function loadParcels(options: {
  readonly url: string;
  readonly folder: string;
  readonly home: string;
  readonly release: Release;
  /** Columns of code, text and number that searches filter by. */
  readonly columns: readonly [code: string, text: string, number: string];
  /** Calculated number that searches filter by; null where the release holds no calculations. */
  readonly calculated: string | null;
}): Promise<void> {
  const { url, home, release } = options;
  const statements = [
    ...indexes(...options.columns),
    ...(options.calculated === null ? [] : calculationIndexes(options.calculated)),
  ];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const folder = mkdtempSync(join(options.folder, 'copy-'));
  chmodSync(folder, 0o755);
  try {
    await client.query(
      `CREATE EXTENSION IF NOT EXISTS postgis; ${FUNCTION_COSTS}; CREATE UNLOGGED TABLE IF NOT EXISTS loaded (mark text)`,
    );
    const { rows } = await client.query('SELECT 1 FROM loaded WHERE mark = $1', [mark(release, statements)]);
    if (rows.length) return;
    await client.query(`DROP TABLE IF EXISTS parcel, calculation; TRUNCATE loaded; ${TABLE}`);
    const db = await (await DuckDBInstance.create(':memory:')).connect();
    await db.run('SET preserve_insertion_order=true');
    const fields = [...calculatedFields(release)];
    let first = 0;
    for (const [i, partition] of partitionsInOrder(release).entries()) {
      const [state, fips] = partition.key.split('/');
      const path = join(folder, `${i}.csv`);
      const source = rowsPath(home, partition);
      const described = await db.runAndReadAll('SELECT name FROM parquet_schema($1)', [source]);
      const present = new Set(described.getRows().map(([name]) => String(name)));
      const columns = Object.keys(COLUMNS).slice(4);
      const values = columns.map(name => (present.has(name) ? quoted(name) : 'NULL'));
      await db.run(
        `COPY (SELECT ord + $first, $state, $fips, $place, ${values.join(', ')}, hex(ST_AsWKB(geometry)::BLOB)
          FROM read_parquet($source) ORDER BY ord) TO '${path}' (FORMAT csv, HEADER false)`,
        { first: BigInt(first), state: state!, fips: fips!, place: partition.place, source },
      );
      chmodSync(path, 0o644);
      await client.query(`COPY parcel FROM '${path}' (FORMAT csv)`);
      rmSync(path);
      if (options.calculated !== null) {
        const files = calculatedFiles(release, partition);
        const joined = files
          .map((file, k) => `read_parquet('${join(home, 'releases', file.path)}') t${k}`)
          .reduce((all, next) => `${all} POSITIONAL JOIN ${next}`);
        const origin = new Map(files.flatMap((file, k) => file.fields.map(name => [name, k] as const)));
        if (i === 0) {
          const types = new Map<string, string>();
          const typed = await db.runAndReadAll(`SELECT ${selection(fields, origin, false)} FROM ${joined} LIMIT 0`);
          for (const [k, name] of fields.entries()) types.set(name, typed.columnType(k).toString());
          await client.query(calculationTable(types));
        }
        await db.run(
          `COPY (SELECT t0.ord + $first, $state, $fips, ${selection(fields, origin, true)} FROM ${joined}) TO '${path}' (FORMAT csv, HEADER false)`,
          { first: BigInt(first), state: state!, fips: fips! },
        );
        chmodSync(path, 0o644);
        await client.query(`COPY calculation FROM '${path}' (FORMAT csv)`);
        rmSync(path);
      }
      first += partition.rows;
    }
    db.closeSync();
    for (const statement of statements) await client.query(statement);
    await client.query(
      options.calculated === null ? 'VACUUM (ANALYZE) parcel' : 'VACUUM (ANALYZE) parcel, calculation',
    );
    await client.query('INSERT INTO loaded VALUES ($1)', [mark(release, statements)]);
  } finally {
    rmSync(folder, { recursive: true });
    await client.end();
  }
}
