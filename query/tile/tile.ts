import type { Value } from '../../datasets/dataset.ts';
import type { Box } from '../../datasets/geometry.ts';
import { MAP_LAYERS, type MapLayerId, type MapSource } from '../../datasets/map-layers.ts';
import type { Partition } from '../../datasets/release.ts';
import type { FeatureFile } from '../format/flatgeobuf.ts';
import type { Layers } from '../release/layers.ts';
import { PartitionSet } from '../release/lists/partition-set.ts';
import type { Release } from '../release/open-release.ts';
import { partitionsMeeting } from '../release/partitions-about.ts';
import { boxOfTile, EXTENT, type TileName, xIn, yIn } from './tile-grid.ts';
import { shapeIn } from './tile-shape.ts';
import { type TileFeature, writeTile } from './tile-writer.ts';

/** Features of one layer in a tile, at most: beyond that the smallest are left out. */
const MOST_FEATURES = 20_000;
/** Units of a tile below which a feature or its detail cannot be seen: half a pixel of a map that shows tiles 512 wide. */
const TOLERANCE = 4;

/** The map layers that a release has at least one source of, in the order in which they are drawn. */
export function mapLayersIn(release: Release): readonly MapLayerId[] {
  const all = Object.keys(MAP_LAYERS) as MapLayerId[];
  return all.filter(id => sourcesOf(id).some(({ dataset, layer }) => release.layer(dataset, layer)));
}

/** The sources of a map layer, in the order in which they are drawn. */
export const sourcesOf = (id: MapLayerId): readonly MapSource[] => MAP_LAYERS[id].sources;

/** The properties that tiles of a map layer have, with their types as TileJSON names them. */
export function fieldsOf(id: MapLayerId): Record<string, 'Number' | 'String'> {
  const names = sourcesOf(id).flatMap(({ kind, properties }) => [
    ...(kind === undefined ? [] : ['kind']),
    ...Object.keys(properties),
  ]);
  return Object.fromEntries(names.map(name => [name, name === 'height' ? 'Number' : 'String']));
}

/** The partitions of a source that may hold features in a box, in order. */
function meeting({ dataset, layer }: MapSource, box: Box, { release }: Layers): readonly Partition[] {
  const version = release.layer(dataset, layer);
  return version ? partitionsMeeting(PartitionSet.of(version), box) : [];
}

/** Units of a tile that a box is long, the longer side. */
const sizeIn = ([west, south, east, north]: Box, tile: TileName) =>
  Math.max(xIn(east, tile) - xIn(west, tile), yIn(south, tile) - yIn(north, tile));

/** The features of a file that a tile shows, in file order: what is too small to be seen is not read. */
function featuresToShow(file: FeatureFile, box: Box, tile: TileName, isDeepest: boolean): number[] {
  const found: { readonly feature: number; readonly size: number }[] = [];
  file.search(box, feature => {
    const size = isDeepest ? EXTENT : sizeIn(file.box(feature), tile);
    if (size >= TOLERANCE) found.push({ feature, size });
  });
  if (found.length > MOST_FEATURES) {
    found.sort((a, b) => b.size - a.size);
    found.length = MOST_FEATURES;
    found.sort((a, b) => a.feature - b.feature);
  }
  return found.map(({ feature }) => feature);
}

async function addSource(
  source: MapSource,
  tile: TileName,
  isDeepest: boolean,
  layers: Layers,
  out: TileFeature[],
): Promise<void> {
  if (tile.z < (source.minZoom ?? 0)) return;
  const box = boxOfTile(tile);
  const { overview, kind } = source;
  const isOverview = overview !== undefined && tile.z < overview.below;
  const tolerance = isDeepest ? 0 : TOLERANCE;
  const columns = Object.entries(source.properties);
  for (const partition of meeting(source, box, layers)) {
    const { file } = await layers.features(partition);
    const wanted = file.columnPick([...Object.values(source.properties), ...(isOverview ? [overview.column] : [])]);
    for (const feature of featuresToShow(file, box, tile, isDeepest)) {
      const row = file.pick(feature, wanted);
      if (isOverview && !overview.values.includes(String(row[overview.column]))) continue;
      const shape = shapeIn(file.boundary(feature), tile, tolerance);
      if (!shape) continue;
      const properties: Record<string, Value> = kind === undefined ? {} : { kind };
      for (const [property, column] of columns) properties[property] = row[column] ?? null;
      out.push({ shape, properties });
    }
  }
}

/**
 * A vector tile of a map layer, drawn from the files of a release: features that meet the tile are found by their index, so
 * what it takes is what the tile shows, whatever the size of the layer.
 * @returns no bytes where it shows nothing. @throws Fault or DamagedFile where a file cannot be read.
 */
export async function tileOf(id: MapLayerId, tile: TileName, layers: Layers): Promise<Uint8Array> {
  const features: TileFeature[] = [];
  const { minZoom, maxZoom } = MAP_LAYERS[id];
  const isDeepest = tile.z >= maxZoom;
  for (const source of tile.z < minZoom ? [] : sourcesOf(id))
    await addSource(source, tile, isDeepest, layers, features);
  return writeTile(id, features);
}

/**
 * Whether a feature of a map layer may lie in a tile, however small it is there and at whichever zoom it is shown first: no
 * deeper tile within one where none lies shows anything. @throws as tileOf.
 */
export async function isMet(id: MapLayerId, tile: TileName, layers: Layers): Promise<boolean> {
  const box = boxOfTile(tile);
  for (const source of sourcesOf(id))
    for (const partition of meeting(source, box, layers)) {
      const { file } = await layers.features(partition);
      let found = false;
      file.search(box, () => {
        found = true;
        return false;
      });
      if (found) return true;
    }
  return false;
}
