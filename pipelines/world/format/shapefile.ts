import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Value } from '../../../datasets/dataset.ts';
import { sharedThread } from '../../../ingest/gdal.ts';
import { fromGeoJSON } from '../../../ingest/geojson.ts';
import { STAMP } from '../../../ingest/writers/filegdb.ts';
import { StagedLayers } from '../../../ingest/writers/staged-layers.ts';
import type { Feature, Position, Shape } from './feature.ts';

/** A column of a shapefile: text, or numbers of some decimals, with its width. Names have at most ten characters. */
export interface DbfColumn {
  readonly name: string;
  readonly type: 'string' | 'number';
  readonly width: number;
  readonly decimals: number;
}

/** Text column. */
export const text = (name: string, width: number): DbfColumn => ({ name, type: 'string', width, decimals: 0 });

/** Number column; `width` counts sign, digits and point. */
export const number = (name: string, width: number, decimals = 0): DbfColumn => ({
  ...{ name, type: 'number', width, decimals },
});

/** What a zipped shapefile of the area is made of. */
export interface ShapefileOptions {
  readonly geometry: 'point' | 'line' | 'polygon';
  readonly columns: readonly DbfColumn[];
  /** CRS of the file; NAD83 degrees by default. */
  readonly crs?: `EPSG:${number}`;
  /** From lng,lat to the coordinates of the file; the identity for NAD83 degrees. */
  readonly project?: (position: Position) => Position;
}

/** Value as its column holds it. @throws RangeError when it does not fit the column: GDAL would cut it. */
function cell({ name, type, width, decimals }: DbfColumn, value: Value | undefined): Value {
  if (value === null || value === undefined) return null;
  const plain = typeof value === 'number' ? value.toFixed(decimals) : String(value);
  if (Buffer.byteLength(plain, 'latin1') > width)
    throw new RangeError(`DBF column ${name}: "${plain}" is longer than ${width}`);
  return type === 'string' ? plain : value;
}

/** A shape with all of its positions changed. */
function projected(shape: Shape, project: (position: Position) => Position): Shape {
  const each = (list: unknown): unknown =>
    typeof (list as readonly unknown[])[0] === 'number'
      ? project(list as Position)
      : (list as readonly unknown[]).map(each);
  return { type: shape.type, coordinates: each(shape.coordinates) } as Shape;
}

const ARGS = [
  ...['-f', 'ESRI Shapefile', '-lco', 'ENCODING=ISO-8859-1'],
  // A fixed stamp: the same rows give the same bytes. Readers hold offsets in 31 bits.
  ...['-lco', 'DBF_DATE_LAST_UPDATE=2026-01-01', '-lco', '2GB_LIMIT=YES'],
];

/**
 * Writes a zipped shapefile (.shp, .shx, .dbf, .prj, .cpg) with GDAL. Stamps inside the zip are fixed, so the same features give
 * the same bytes.
 * @returns the number of features.
 * @throws RangeError when a value does not fit its column, RowRefused when a shape does not fit the file, Error when GDAL refuses.
 */
export async function writeShapefile(
  path: string,
  features: Iterable<Feature>,
  { geometry, columns, crs = 'EPSG:4269', project }: ShapefileOptions,
): Promise<number> {
  const name = basename(path).replace(/(\.shp)?\.zip$/, '');
  const by = <T>(of: (column: DbfColumn) => T) => Object.fromEntries(columns.map(column => [column.name, of(column)]));
  const layer = { geometry, columns: by(({ type }) => ({ type })), widths: by(c => [c.width, c.decimals] as const) };
  const staged = await StagedLayers.open(path, crs, { [name]: layer });
  try {
    for (const { properties, geometry: shape } of features) {
      const values = by(column => cell(column, properties[column.name]));
      staged.write(name, { properties: values, geometry: fromGeoJSON(project ? projected(shape, project) : shape) });
    }
    const { rows } = await staged.convert(name, ARGS, sharedThread());
    const zip = new ZipFile();
    for (const ending of ['.shp', '.shx', '.dbf', '.prj', '.cpg'])
      zip.addFile(join(staged.folder, name + ending), name + ending, STAMP);
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(path));
    return rows;
  } finally {
    await staged.discard();
  }
}
