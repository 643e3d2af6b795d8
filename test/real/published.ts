import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import type { Geometry } from '../../datasets/geometry.ts';
import { fromGeoJSON, type Shape } from '../oracle/geojson.ts';
import { SOURCES } from './bangor.ts';

/** Whether GDAL's programs are there. */
export const gdal = spawnSync('ogr2ogr', ['--version']).status === 0;
export const NO_GDAL = 'skipped: ogr2ogr is not there (Debian package gdal-bin)';

/** A row of a published file: text without the white space and NUL that writers pad with, null for nothing. */
export interface PublishedRow {
  readonly properties: Readonly<Record<string, string | number | null>>;
  readonly geometry: Geometry;
}

const clean = (value: unknown) => {
  const text = typeof value === 'string' ? value.replace(/^[\s\0]+|[\s\0]+$/g, '') : value;
  return text === '' || text === undefined ? null : (text as string | number | null);
};

/** Features of a file as GDAL reads and projects them (to lng,lat WGS84): nothing of Plat touches them. */
export function readFeatures(path: string): PublishedRow[] {
  const open = path.endsWith('.zip') ? `/vsizip/${path}` : path.endsWith('.gz') ? `/vsigzip/${path}` : path;
  const text = execFileSync(
    'ogr2ogr',
    ['-q', '-f', 'GeoJSONSeq', '-t_srs', 'EPSG:4326', '-dim', 'XY']
      .concat(['-lco', 'COORDINATE_PRECISION=15', '-lco', 'SIGNIFICANT_FIGURES=17'])
      .concat(['/vsistdout/', open]),
    { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line) as { geometry: Shape | null; properties: Record<string, unknown> })
    .filter(f => f.geometry)
    .map(({ geometry, properties }) => ({
      geometry: fromGeoJSON(geometry!),
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, clean(value)])),
    }));
}

/** As readFeatures, of a file below ../shared/data. */
export const publishedFeatures = (file: string) => readFeatures(join(SOURCES, file));

/** Rows of a published CSV as text by column. @param from line of the header, 1-based. */
export function publishedTable(file: string, from = 1): Record<string, string>[] {
  const bytes = readFileSync(join(SOURCES, file));
  return parse(file.endsWith('.gz') ? gunzipSync(bytes) : bytes, {
    columns: true,
    bom: true,
    from_line: from,
    relax_column_count: true,
    trim: true,
  });
}
