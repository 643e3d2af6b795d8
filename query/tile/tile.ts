import type { Value } from '../../datasets/dataset.ts';
import type { Box } from '../../datasets/geometry.ts';
import { MAP_LAYERS, MAX_TILE_ZOOM, type MapLayerId, type MapSource } from '../../datasets/map-layers.ts';
import type { FeatureFile } from '../format/flatgeobuf.ts';
import type { Layers } from '../release/layers.ts';
import type { Release } from '../release/open-release.ts';
import { partitionsMeeting } from '../release/partitions-about.ts';
import { boxOfTile, EXTENT, type TileName, xIn, yIn } from './tile-grid.ts';
import { shapeIn } from './tile-shape.ts';
import { type TileFeature, type TileLayer, writeTile } from './tile-writer.ts';

/** Features of one layer in a tile, at most: beyond that the smallest are left out. */
const MOST_FEATURES = 20_000;
/** Units of a tile below which a feature or its detail cannot be seen: half a pixel of a map that shows tiles 512 wide. */
const TOLERANCE = 4;
/** Features between two looks at whether somebody still waits. */
const EVERY = 256;

/** The map layers that a release has at least one source of, in the order in which they are drawn. */
export function mapLayersIn(release: Release | null): readonly MapLayerId[] {
  const all = Object.keys(MAP_LAYERS) as MapLayerId[];
  return all.filter(id => sourcesOf(id).some(({ dataset, layer }) => release?.layer(dataset, layer)));
}

const sourcesOf = (id: MapLayerId): readonly MapSource[] => MAP_LAYERS[id].sources;

/** Units of a tile that a box is long, the longer side. */
const sizeIn = ([west, south, east, north]: Box, tile: TileName) =>
  Math.max(xIn(east, tile) - xIn(west, tile), yIn(south, tile) - yIn(north, tile));

/** The features of a file that a tile shows, in file order: what is too small to be seen is not read. */
function featuresToShow(file: FeatureFile, box: Box, tile: TileName): number[] {
  const found: { readonly feature: number; readonly size: number }[] = [];
  file.search(box, feature => {
    const size = tile.z >= MAX_TILE_ZOOM ? EXTENT : sizeIn(file.box(feature), tile);
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
  layers: Layers,
  check: () => void,
  out: TileFeature[],
): Promise<void> {
  const version = layers.release.layer(source.dataset, source.layer);
  if (!version || tile.z < (source.minZoom ?? 0)) return;
  const box = boxOfTile(tile);
  const { overview, kind } = source;
  const isOverview = overview !== undefined && tile.z < overview.below;
  const tolerance = tile.z >= MAX_TILE_ZOOM ? 0 : TOLERANCE;
  const columns = Object.entries(source.properties);
  for (const partition of partitionsMeeting(version.partitions, box)) {
    const { file } = await layers.features(partition);
    const wanted = file.columnPick([...Object.values(source.properties), ...(isOverview ? [overview.column] : [])]);
    for (const [i, feature] of featuresToShow(file, box, tile).entries()) {
      if (i % EVERY === 0) check();
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
 * A vector tile of some map layers, made from the files of a release as they are: features that meet the tile are found by
 * their index, so what it takes is what the tile shows, whatever the size of the layer.
 * @param check throws where nobody waits any more.
 * @returns no bytes where nothing lies in it. @throws Fault or DamagedFile where a file cannot be read.
 */
export async function tileOf(
  ids: readonly MapLayerId[],
  tile: TileName,
  layers: Layers,
  check: () => void,
): Promise<Uint8Array> {
  const out: TileLayer[] = [];
  for (const id of ids) {
    const features: TileFeature[] = [];
    if (tile.z >= MAP_LAYERS[id].minZoom)
      for (const source of sourcesOf(id)) await addSource(source, tile, layers, check, features);
    out.push({ name: id, features });
  }
  return writeTile(out);
}
