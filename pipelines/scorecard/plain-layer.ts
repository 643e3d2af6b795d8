import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize } from 'flatgeobuf/lib/mjs/geojson.js';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { Partition } from '../../datasets/release.ts';
import type { LngLat, PlainFeature } from './plain-geometry.ts';

/** Bytes of the files of a layer up to which they are read through for a check. */
const READ_THROUGH = 64 * 2 ** 20;

/** Why a layer is not read for a check. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

type Position = readonly number[];
interface GeoJson {
  readonly type: string;
  readonly coordinates: unknown;
}

const pairs = (path: readonly Position[]): LngLat[] => path.map(([x, y]) => [x!, y!]);

/** The paths of a GeoJSON geometry. @throws NotChecked for one of several kinds. */
function pathsOf({ type, coordinates }: GeoJson): Pick<PlainFeature, 'kind' | 'paths'> {
  switch (type) {
    case 'Point':
      return { kind: 'point', paths: [pairs([coordinates as Position])] };
    case 'MultiPoint':
      return { kind: 'point', paths: (coordinates as Position[]).map(one => pairs([one])) };
    case 'LineString':
      return { kind: 'line', paths: [pairs(coordinates as Position[])] };
    case 'MultiLineString':
      return { kind: 'line', paths: (coordinates as Position[][]).map(pairs) };
    case 'Polygon':
      return { kind: 'polygon', paths: (coordinates as Position[][]).map(pairs) };
    case 'MultiPolygon':
      return { kind: 'polygon', paths: (coordinates as Position[][][]).flat().map(pairs) };
    default:
      throw new NotChecked('a geometry of several kinds is not checked');
  }
}

function boxOf(paths: readonly (readonly LngLat[])[]): PlainFeature['box'] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const path of paths)
    for (const [x, y] of path) {
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    }
  return [west, south, east, north];
}

/** The first file of a role in each partition. */
export const filesOf = (partitions: readonly Partition[], role: 'features' | 'rows' | 'raster') =>
  partitions.flatMap(({ files }) => files.filter(file => file.role === role).slice(0, 1));

/** @throws NotChecked where reading it through would take too long. */
export function requireSmall(bytes: number): void {
  if (bytes > READ_THROUGH) throw new NotChecked('its files are too large to be read through for a check');
}

/** All features of some partitions, by the reader that the makers of FlatGeobuf publish. @throws NotChecked. */
export async function plainFeatures(releases: string, partitions: readonly Partition[]): Promise<PlainFeature[]> {
  const files = filesOf(partitions, 'features');
  requireSmall(files.reduce((sum, { bytes }) => sum + bytes, 0));
  const features: PlainFeature[] = [];
  for (const { path } of files)
    for await (const feature of deserialize(new Uint8Array(await readFile(join(releases, path))))) {
      const { geometry, properties } = feature as unknown as {
        readonly geometry: GeoJson | null;
        readonly properties: Record<string, unknown>;
      };
      if (!geometry) continue;
      const shape = pathsOf(geometry);
      features.push({ ...shape, box: boxOf(shape.paths), properties });
    }
  return features;
}

/** All rows of some partitions of a table, by a reader of Parquet that nothing else of a server uses. @throws NotChecked. */
export async function plainRows(
  releases: string,
  partitions: readonly Partition[],
): Promise<Record<string, unknown>[]> {
  const files = filesOf(partitions, 'rows');
  requireSmall(files.reduce((sum, { bytes }) => sum + bytes, 0));
  const rows: Record<string, unknown>[] = [];
  for (const { path } of files) {
    const bytes = await readFile(join(releases, path));
    const file = {
      byteLength: bytes.byteLength,
      slice: (start: number, end?: number) => new Uint8Array(bytes.subarray(start, end)).buffer,
    };
    for (const row of await parquetReadObjects({ file, compressors })) rows.push(row);
  }
  return rows;
}
