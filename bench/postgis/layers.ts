import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { catalog, layerOf } from '../../datasets/catalog.ts';
import type { Column, ScalarType, Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import { openSource } from '../../ingest/format.ts';
import { ringsOf } from '../../query/geometry/geos.ts';
import type { Release } from '../../query/release/open-release.ts';
import { quoted } from './schema.ts';
import { toWkbHex } from './wkb.ts';

const TYPES: Readonly<Record<ScalarType, string>> = {
  string: 'text',
  number: 'float8',
  integer: 'float8',
  boolean: 'boolean',
  date: 'text',
  timestamp: 'text',
};
const ROWS = 200;

/** Table of a layer. */
export const tableOf = (dataset: string, layer: string): string => quoted(`${dataset}:${layer}`);

const pair = (xy: Float64Array, i: number) => `${xy[2 * i]} ${xy[2 * i + 1]}`;

/** A geometry as PostGIS reads it, in WGS84. */
function text(geometry: Geometry): string {
  if (geometry.type.endsWith('Polygon')) return toWkbHex(geometry);
  const { xy, ends } = geometry;
  if (geometry.type.endsWith('Point'))
    return `MULTIPOINT(${Array.from({ length: xy.length / 2 }, (_, i) => pair(xy, i)).join(',')})`;
  const lines = [...ends].map((end, k) => {
    const start = k === 0 ? 0 : ends[k - 1]!;
    return `(${Array.from({ length: end - start }, (_, i) => pair(xy, start + i)).join(',')})`;
  });
  return `MULTILINESTRING(${lines.join(',')})`;
}

async function* features(path: string): AsyncGenerator<{ properties: Record<string, Value>; geometry: Geometry }> {
  const source = await openSource(path, { format: 'flatgeobuf' });
  try {
    for await (const batch of source.rows())
      for (const { properties, geometry } of batch)
        if (geometry) yield { properties: properties as Record<string, Value>, geometry };
  } finally {
    await source.close();
  }
}

async function* records(path: string): AsyncGenerator<{ properties: Record<string, Value>; geometry: null }> {
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  const reader = await db.runAndReadAll('SELECT * FROM read_parquet($1)', [path]);
  for (const row of reader.getRowObjects()) {
    const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value === null ? null : value);
    const properties = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        (value !== null && typeof value === 'object' ? String(value) : plain(value)) as Value,
      ]),
    );
    yield { properties, geometry: null };
  }
  db.closeSync();
}

/**
 * Fills one table a layer from the files of a release, with a GiST index on geometry and on geography, one on the key of
 * a table, and the area of polygons stored, by which the smallest of several answers. Then VACUUM ANALYZE.
 * @param sources `dataset:layer` of each.
 * @returns rows of all tables.
 */
export async function loadLayers(url: string, home: string, release: Release, sources: Iterable<string>) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let count = 0;
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS postgis');
    for (const source of sources) {
      const [dataset, name] = source.split(':') as [string, string];
      const layer = layerOf(catalog.datasets, dataset, name);
      if (layer.kind === 'raster' || layer.kind === 'roads') throw new Error(`${source} has no rows`);
      const table = tableOf(dataset, name);
      const columns = Object.entries<Column>(layer.columns);
      const spatial = layer.kind === 'vector';
      await client.query(`DROP TABLE IF EXISTS ${table}`);
      await client.query(
        `CREATE UNLOGGED TABLE ${table} (${[
          ...columns.map(([column, { type }]) => `${quoted(column)} ${TYPES[type]}`),
          ...(spatial ? ['geom geometry(Geometry, 4326)'] : []),
        ].join(', ')})`,
      );
      let values: unknown[] = [];
      let rows: string[] = [];
      const flush = async () => {
        if (rows.length) await client.query(`INSERT INTO ${table} VALUES ${rows.join(', ')}`, values);
        count += rows.length;
        [values, rows] = [[], []];
      };
      for (const partition of release.layer(dataset, name)?.partitions ?? []) {
        const file = partition.files.find(({ role }) => role === (spatial ? 'features' : 'rows'))!;
        const path = join(home, 'releases', file.path);
        for await (const { properties, geometry } of spatial ? features(path) : records(path)) {
          const places = columns.map(([column]) => {
            values.push(properties[column] ?? null);
            return `$${values.length}`;
          });
          if (geometry) {
            if (geometry.type === 'Polygon' && !ringsOf(geometry).length) continue;
            values.push(text(geometry));
            places.push(`ST_SetSRID($${values.length}::geometry, 4326)`);
          }
          rows.push(`(${places.join(', ')})`);
          if (rows.length === ROWS || values.length > 30_000) await flush();
        }
      }
      await flush();
      if (spatial) {
        await client.query(`ALTER TABLE ${table} ADD geog geography, ADD area float8`);
        await client.query(`UPDATE ${table} SET geog = geom::geography, area = ST_Area(geom::geography)`);
        await client.query(`CREATE INDEX ON ${table} USING gist (geom)`);
        await client.query(`CREATE INDEX ON ${table} USING gist (geog)`);
        if (layer.joinKey) await client.query(`CREATE INDEX ON ${table} (${quoted(layer.joinKey)})`);
      } else await client.query(`CREATE INDEX ON ${table} (${quoted(layer.key.column)})`);
      await client.query(`VACUUM (ANALYZE) ${table}`);
    }
  } finally {
    await client.end();
  }
  return count;
}
