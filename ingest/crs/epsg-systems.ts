import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Box } from '../../datasets/geometry.ts';
import { askProj } from '../gdal.ts';

/** A projected system of the EPSG registry for maps of the United States, as the database of PROJ has it. */
export interface EpsgSystem {
  /** `EPSG:n`. */
  readonly code: string;
  readonly name: string;
  /** Words of EPSG for the area of use, such as `United States (USA) - Maine - counties of …`. */
  readonly area: string;
  /** lng,lat degrees of the area of use. */
  readonly box: Box;
}

interface Listed {
  readonly code: string;
  readonly name: string;
  readonly area: string;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const QUERY = `SELECT DISTINCT crs.code, crs.name, extent.description AS area, extent.west_lon AS west, extent.south_lat AS south,
    extent.east_lon AS east, extent.north_lat AS north
  FROM projected_crs AS crs
  JOIN usage ON usage.object_table_name = 'projected_crs' AND usage.object_auth_name = crs.auth_name
    AND usage.object_code = crs.code
  JOIN extent ON extent.auth_name = usage.extent_auth_name AND extent.code = usage.extent_code
  WHERE crs.auth_name = 'EPSG' AND NOT crs.deprecated AND extent.description LIKE '%United States (USA)%'
    AND extent.west_lon < extent.east_lon
  ORDER BY CAST(crs.code AS INTEGER)`;

let systems: Promise<readonly EpsgSystem[]> | null = null;

async function read(): Promise<readonly EpsgSystem[]> {
  const answer = await askProj({ database: true });
  if (!('database' in answer)) throw new Error('the database of PROJ cannot be read');
  const folder = mkdtempSync(join(tmpdir(), 'plat-proj-'));
  try {
    const path = join(folder, 'proj.db');
    writeFileSync(path, answer.database);
    const database = new DatabaseSync(path, { readOnly: true });
    const rows = database.prepare(QUERY).all() as unknown as Listed[];
    database.close();
    return rows.map(({ code, name, area, west, south, east, north }) => ({
      code: `EPSG:${code}`,
      name,
      area,
      box: [west, south, east, north],
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Projected systems of the country that may still be published in, by the number of their code; read once a thread. */
export function epsgSystems(): Promise<readonly EpsgSystem[]> {
  systems ??= read();
  return systems;
}
