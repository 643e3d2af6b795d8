import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Value } from '../../../datasets/dataset.ts';
import { type Feature, polygonsOf, type Ring } from './feature.ts';

/** Columns of a layer with their SQL types; the geometry is polygons in WGS84 degrees. */
export interface GeopackageLayer {
  readonly columns: Readonly<Record<string, 'TEXT' | 'INTEGER' | 'REAL'>>;
  readonly rows: () => Iterable<Feature>;
}

/** The tables that every GeoPackage has (OGC 12-128r18, 1.1.2 to 2.1.1), of what is used of them. */
const SCHEMA = `
  PRAGMA application_id = 1196444487;
  PRAGMA user_version = 10300;
  CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, organization TEXT NOT NULL,
    organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
  INSERT INTO gpkg_spatial_ref_sys VALUES ('Undefined cartesian', -1, 'NONE', -1, 'undefined', NULL),
    ('Undefined geographic', 0, 'NONE', 0, 'undefined', NULL),
    ('WGS 84', 4326, 'EPSG', 4326,
     'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]',
     NULL);
  CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT, description TEXT,
    last_change TEXT NOT NULL, min_x REAL, min_y REAL, max_x REAL, max_y REAL, srs_id INTEGER);
  CREATE TABLE gpkg_geometry_columns (table_name TEXT PRIMARY KEY, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
    srs_id INTEGER NOT NULL, z INTEGER NOT NULL, m INTEGER NOT NULL);
`;

function ringBytes(ring: Ring): Buffer {
  const bytes = Buffer.alloc(4 + 16 * ring.length);
  bytes.writeUInt32LE(ring.length, 0);
  for (const [i, [lng, lat]] of ring.entries()) {
    bytes.writeDoubleLE(lng, 4 + 16 * i);
    bytes.writeDoubleLE(lat, 12 + 16 * i);
  }
  return bytes;
}

const head = (type: number, count: number): Buffer => {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(type, 1);
  bytes.writeUInt32LE(count, 5);
  return bytes;
};

/** A geometry blob: header without envelope, little endian, then WKB of a multipolygon. */
function blob(feature: Feature): Buffer {
  const start = Buffer.from([0x47, 0x50, 0, 1, 0, 0, 0, 0]);
  start.writeInt32LE(4326, 4);
  const polygons = polygonsOf(feature.geometry);
  const parts = polygons.flatMap(rings => [head(3, rings.length), ...rings.map(ringBytes)]);
  return Buffer.concat([start, head(6, polygons.length), ...parts]);
}

/**
 * Writes a GeoPackage of polygon layers; the stamp inside is fixed, so that the same rows give the same bytes.
 * @returns the number of rows of all layers.
 */
export function writeGeopackage(path: string, layers: Readonly<Record<string, GeopackageLayer>>): number {
  rmSync(path, { force: true });
  const database = new DatabaseSync(path);
  let count = 0;
  try {
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
    database.exec(SCHEMA);
    for (const [name, { columns, rows }] of Object.entries(layers)) {
      const names = Object.keys(columns);
      const quoted = (text: string) => `"${text}"`;
      database.exec(
        `CREATE TABLE ${quoted(name)} (fid INTEGER PRIMARY KEY, geom MULTIPOLYGON, ${names.map(n => `${quoted(n)} ${columns[n]}`).join(', ')})`,
      );
      database
        .prepare('INSERT INTO gpkg_contents VALUES (?, ?, ?, NULL, ?, NULL, NULL, NULL, NULL, 4326)')
        .run(name, 'features', name, '2026-01-01T00:00:00.000Z');
      database
        .prepare('INSERT INTO gpkg_geometry_columns VALUES (?, ?, ?, 4326, 0, 0)')
        .run(name, 'geom', 'MULTIPOLYGON');
      const insert = database.prepare(
        `INSERT INTO ${quoted(name)} (geom, ${names.map(quoted).join(', ')}) VALUES (?, ${names.map(() => '?').join(', ')})`,
      );
      for (const row of rows()) {
        insert.run(blob(row), ...names.map(n => (row.properties[n] ?? null) as Exclude<Value, boolean>));
        count++;
      }
    }
    database.exec('COMMIT');
  } finally {
    database.close();
  }
  return count;
}
