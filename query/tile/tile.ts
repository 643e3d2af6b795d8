import type { Value } from '../../datasets/dataset.ts';
import { type Box, boxesMeet, type Geometry } from '../../datasets/geometry.ts';
import { MAP_LAYERS, type MapLayerId, type MapSource } from '../../datasets/map-layers.ts';
import type { Partition } from '../../datasets/release.ts';
import type { FeatureFile } from '../format/flatgeobuf.ts';
import { boxesApart } from '../geometry/area/antimeridian.ts';
import { interiorPoint } from '../geometry/area/interior-point.ts';
import type { Layers } from '../release/layers.ts';
import { PartitionSet } from '../release/lists/partition-set.ts';
import type { Release } from '../release/open-release.ts';
import { partitionsMeeting } from '../release/partitions-about.ts';
import { boxOfTile, EXTENT, type TileName, xIn, yIn } from './tile-grid.ts';
import { LARGE_BYTES, shapeIn } from './tile-shape.ts';
import { type TileFeature, writeTile } from './tile-writer.ts';

/** Features of one layer in a tile, at most: beyond that the smallest are left out. */
const MOST_FEATURES = 20_000;
/** Units of a tile below which a feature or its detail cannot be seen: half a pixel of a map that shows tiles 512 wide. */
const TOLERANCE = 4;

/**
 * Tiles of one zoom that a feature alone may fill: a square of 55 km at the deepest zoom, that of parcels. Deeper ones show a larger feature where
 * others lie too; a parcel drawn around the earth would make four thousand million.
 */
const MOST_TILES = 16_384;

/** The boxes of features wider than half the earth, which have parts at both sides of 180°. */
const apart = new WeakMap<FeatureFile, Map<number, readonly Box[]>>();

/** The boxes of a feature: two where its parts lie at both sides of 180°. */
function boxesOf(file: FeatureFile, feature: number): readonly Box[] {
  const box = file.box(feature);
  if (box[2] - box[0] <= 180) return [box];
  const ofFile = apart.get(file) ?? new Map<number, readonly Box[]>();
  apart.set(file, ofFile);
  const boxes = ofFile.get(feature) ?? boxesApart(file.boundary(feature), box);
  ofFile.set(feature, boxes);
  return boxes;
}

/** The large feature of each file that was drawn last: it lies in many tiles, and is not decoded for each. */
const large = new WeakMap<FeatureFile, { readonly feature: number; readonly geometry: Geometry }>();

/** The geometry of a feature; good until another one of the file is read, unless it is large. */
function geometryOf(file: FeatureFile, feature: number): Geometry {
  if (file.bytesOf(feature) < LARGE_BYTES) return file.boundary(feature);
  let drawn = large.get(file);
  if (drawn?.feature !== feature) {
    drawn = { feature, geometry: file.geometry(feature) };
    large.set(file, drawn);
  }
  return drawn.geometry;
}

/** The innermost points of features that were drawn: a feature lies in many tiles. Null of one that is too thin to have one. */
const innermost = new WeakMap<FeatureFile, Map<number, readonly [lng: number, lat: number] | null>>();

/** The point at which the name of a feature stands, units of a tile; null where it stands in another tile, or nowhere. */
function namePointIn(file: FeatureFile, feature: number, tile: TileName): readonly [x: number, y: number] | null {
  const ofFile = innermost.get(file) ?? new Map<number, readonly [number, number] | null>();
  innermost.set(file, ofFile);
  if (!ofFile.has(feature)) ofFile.set(feature, interiorPoint(geometryOf(file, feature)));
  const point = ofFile.get(feature)!;
  if (!point) return null;
  const [x, y] = [Math.floor(xIn(point[0], tile)), Math.floor(yIn(point[1], tile))];
  return x >= 0 && y >= 0 && x < EXTENT && y < EXTENT ? [x, y] : null;
}

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
    const boxes = boxesOf(file, feature).filter(one => boxesMeet(one, box));
    const size = isDeepest ? EXTENT : Math.max(...boxes.map(one => sizeIn(one, tile)));
    if (boxes.length > 0 && size >= TOLERANCE) found.push({ feature, size });
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
      const shape = shapeIn(geometryOf(file, feature), tile, tolerance);
      if (!shape) continue;
      const properties: Record<string, Value> = kind === undefined ? {} : { kind };
      for (const [property, column] of columns) properties[property] = row[column] ?? null;
      out.push({ shape, properties });
      const point = source.named && row[source.properties.name!] != null ? namePointIn(file, feature, tile) : null;
      if (point) out.push({ shape: { kind: 1, paths: [[[...point]]] }, properties });
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

/** Tiles of a zoom that a box meets. */
function tilesIn(box: Box, { z }: TileName): number {
  const world = { z, x: 0, y: 0 };
  const count = (from: number, to: number) => Math.floor(to / EXTENT) - Math.floor(from / EXTENT) + 1;
  return count(xIn(box[0], world), xIn(box[2], world)) * count(yIn(box[3], world), yIn(box[1], world));
}

/**
 * Whether a feature of a map layer may lie in a tile, however small it is there and at whichever zoom it is shown first: no
 * deeper tile within one where none lies shows anything. A feature that fills very many tiles of this zoom does not count.
 * @param passedOver is told of such features. @throws as tileOf.
 */
export async function isMet(
  id: MapLayerId,
  tile: TileName,
  layers: Layers,
  passedOver: (feature: string) => void = () => {},
): Promise<boolean> {
  const box = boxOfTile(tile);
  for (const source of sourcesOf(id))
    for (const partition of meeting(source, box, layers)) {
      const { file } = await layers.features(partition);
      let found = false;
      file.search(box, feature => {
        const boxes = boxesOf(file, feature);
        if (!boxes.some(one => boxesMeet(one, box))) return true;
        found = boxes.reduce((sum, one) => sum + tilesIn(one, tile), 0) <= MOST_TILES;
        if (!found) passedOver(`${partition.key} ${partition.place} ${feature}`);
        return !found;
      });
      if (found) return true;
    }
  return false;
}
