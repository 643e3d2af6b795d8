import { rmSync, writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

/** A place of the files, by its number. */
export const placeOf = (i: number) => ({
  id: `p${i}`,
  name: `Shop ${i}`,
  x: -125 + ((i * 7919) % 60_000) / 1000,
  y: 25 + Math.floor(i / 800) / 10,
});

const BBOX = Object.fromEntries(['xmin', 'ymin', 'xmax', 'ymax'].map(name => [name, ['bbox', name]]));
const GEO = { version: '1.1.0', primary_column: 'geometry' };
const COLUMN = { encoding: 'WKB', geometry_types: ['Point'], covering: { bbox: BBOX } };

/** A place as it is written. */
export interface WrittenPlace {
  readonly id: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly category: string;
  readonly confidence: number;
}

/** Writes places of numbers. */
export const writePlaces = (path: string, from: number, to: number): Promise<void> =>
  writePlaceRows(
    path,
    Array.from({ length: to - from }, (_, n) => from + n).map(i => ({
      ...placeOf(i),
      category: i % 3 === 0 ? 'pharmacy' : 'grocery_store',
      confidence: 0.5 + (i % 50) / 100,
    })),
  );

/**
 * Writes places as Overture Maps publishes them since September 2026 (docs.overturemaps.org, schema of places): GeoParquet with a box
 * of each row, names and a taxonomy as structures. DuckDB writes it, in row groups of 2,048.
 */
export async function writePlaceRows(path: string, places: readonly WrittenPlace[]): Promise<void> {
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  const geo = JSON.stringify({ ...GEO, columns: { geometry: COLUMN } });
  const lines = places.map((place, i) => {
    const wkb = Buffer.alloc(21);
    wkb.writeUInt8(1, 0);
    wkb.writeUInt32LE(1, 1);
    wkb.writeDoubleLE(place.x, 5);
    wkb.writeDoubleLE(place.y, 13);
    return JSON.stringify({ i, ...place, wkb: wkb.toString('hex') });
  });
  writeFileSync(`${path}.ndjson`, lines.join('\n'));
  await connection.run(`
    copy (
      select id,
        {xmin: x::float, ymin: y::float, xmax: x::float, ymax: y::float} as bbox,
        unhex(wkb) as geometry,
        {"primary": name, common: map(['en'], ['Shop'])} as names,
        {"primary": category, hierarchy: ['shop', 'store']} as taxonomy,
        confidence,
        hash(i)::varchar || hash(i + 1)::varchar as sources
      from read_json('${path}.ndjson') order by i
    ) to '${path}' (format parquet, row_group_size 2048, kv_metadata {geo: '${geo}'})`);
  rmSync(`${path}.ndjson`);
  connection.closeSync();
  database.closeSync();
}
