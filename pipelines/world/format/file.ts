import type { ScalarType, Value } from '../../../datasets/dataset.ts';
import type { Table } from '../settlement/statistic.ts';
import type { Members } from './archive.ts';
import { type Feature, polygonal, type Ring } from './feature.ts';
import type { Geodatabase, GeodatabaseTable } from './geodatabase.ts';
import type { GeopackageLayer } from './geopackage.ts';
import type { Grid } from './geotiff.ts';
import type { DbfColumn, ShapefileOptions } from './shapefile.ts';
import type { Sheets } from './workbook.ts';

/** One published file of the area: its path, and rows that are made while it is written. */
export type WorldFile =
  | {
      readonly kind: 'shapefile';
      readonly path: string;
      readonly options: ShapefileOptions;
      readonly rows: () => Iterable<Feature>;
    }
  | { readonly kind: 'geojson'; readonly path: string; readonly rows: () => Iterable<Feature> }
  | {
      readonly kind: 'csv';
      readonly path: string;
      readonly columns: readonly string[];
      readonly rows: () => Iterable<Readonly<Record<string, Value>>>;
    }
  | { readonly kind: 'geotiff'; readonly path: string; readonly grid: Grid }
  | { readonly kind: 'geopackage'; readonly path: string; readonly layers: Readonly<Record<string, GeopackageLayer>> }
  | { readonly kind: 'geodatabase'; readonly path: string; readonly database: Geodatabase }
  | { readonly kind: 'xlsx'; readonly path: string; readonly sheets: () => Sheets }
  /** Text as it stands, line by line. */
  | { readonly kind: 'text'; readonly path: string; readonly lines: () => Iterable<string> }
  /** A zip of texts. */
  | { readonly kind: 'archive'; readonly path: string; readonly members: Members };

/** A zipped shapefile in NAD83 degrees. */
export const shapefile = (
  path: string,
  geometry: ShapefileOptions['geometry'],
  columns: readonly DbfColumn[],
  rows: () => Iterable<Feature>,
): WorldFile => ({ kind: 'shapefile', path: `${path}.shp.zip`, options: { geometry, columns }, rows });

/** GeoJSON in WGS84, gzipped when its path says so. */
export const geojson = (path: string, rows: () => Iterable<Feature>): WorldFile => ({ kind: 'geojson', path, rows });

/**
 * A zipped file geodatabase.
 * @param path under its publisher's name; @param folder that of the geodatabase in it.
 */
export const geodatabase = (
  path: string,
  folder: string,
  layers: Geodatabase['layers'],
  crs: Geodatabase['crs'] = 'EPSG:4269',
): WorldFile => ({ kind: 'geodatabase', path, database: { folder, crs, layers } });

/** A feature class of a geodatabase. */
export const featureClass = (
  geometry: 'point' | 'line' | 'polygon',
  columns: Readonly<Record<string, ScalarType>>,
  rows: () => Iterable<Feature>,
): GeodatabaseTable => ({ geometry, columns, rows });

/** A table of a geodatabase. */
export const tableOf = (
  columns: Readonly<Record<string, ScalarType>>,
  rows: () => Iterable<Readonly<Record<string, Value>>>,
): GeodatabaseTable => ({
  geometry: null,
  columns,
  *rows() {
    for (const properties of rows()) yield { properties, geometry: null };
  },
});

/** A table. */
export const csv = (path: string, { columns, rows }: Table): WorldFile => ({
  kind: 'csv',
  path,
  columns,
  rows: () => rows,
});

/** A feature of one ring. */
export const area = (properties: Feature['properties'], ring: Ring): Feature => ({
  properties,
  geometry: polygonal([[ring]]),
});

/** A table as the Census Bureau's interface answers: a JSON list of lists, every value as text, the header first. */
export const jsonTable = (path: string, { columns, rows }: Table): WorldFile => ({
  kind: 'text',
  path,
  *lines() {
    const plain = (value: Value | undefined) => (value === null || value === undefined ? null : String(value));
    yield `[${JSON.stringify(columns)}`;
    for (const row of rows) yield `,\n${JSON.stringify(columns.map(name => plain(row[name])))}`;
    yield ']\n';
  },
});
