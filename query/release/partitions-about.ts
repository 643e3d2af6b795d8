import type { Box } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import { BoxIndex } from '../format/box-index.ts';
import { boxesAbout } from '../geometry/boxes-about.ts';

const indexes = new WeakMap<readonly Partition[], BoxIndex>();

/** Partitions of a list, in its order, whose box meets one of some lng,lat boxes. A list must not change afterwards. */
export function partitionsMeeting(partitions: readonly Partition[], ...boxes: readonly Box[]): readonly Partition[] {
  let index = indexes.get(partitions);
  if (!index) {
    index = new BoxIndex(partitions.map(({ box }) => box));
    indexes.set(partitions, index);
  }
  return index.meeting(boxes).map(place => partitions[place]!);
}

/** Partitions of a list, in its order, whose box holds a lng,lat; the meridians 180 and -180 are one. */
export const partitionsHolding = (partitions: readonly Partition[], lng: number, lat: number): readonly Partition[] =>
  Math.abs(lng) === 180
    ? partitionsMeeting(partitions, [lng, lat, lng, lat], [-lng, lat, -lng, lat])
    : partitionsMeeting(partitions, [lng, lat, lng, lat]);

/**
 * Partitions of a list, in its order, whose box comes within some metres of a lng,lat, also across ±180: none that has
 * rows so near is left out, a few more may be told.
 */
export const partitionsNear = (
  partitions: readonly Partition[],
  lng: number,
  lat: number,
  metres: number,
): readonly Partition[] => partitionsMeeting(partitions, ...boxesAbout(lng, lat, metres));

const rasters = new WeakMap<readonly Partition[], BoxIndex>();

/** Allowed for beside a tenth of its size about a raster's box, degrees. */
const MARGIN = 0.01;

/**
 * A raster's box with what is allowed for about it: it may have been made from the corners, and edges of a projected grid
 * bulge between them.
 */
export function rasterReach([west, south, east, north]: Box): Box {
  const [dx, dy] = [(east - west) / 10 + MARGIN, (north - south) / 10 + MARGIN];
  return [west - dx, south - dy, east + dx, north + dy];
}

/** Met by every box. */
export const GLOBE: Box = [-Infinity, -Infinity, Infinity, Infinity];

/** Partitions of a list, in its order, whose rasters may hold ground of a lng,lat box; one beyond ±180 goes on across it. */
export function rastersAbout(partitions: readonly Partition[], [west, south, east, north]: Box): readonly Partition[] {
  let index = rasters.get(partitions);
  if (!index) {
    index = new BoxIndex(partitions.map(({ box }) => (box ? rasterReach(box) : GLOBE)));
    rasters.set(partitions, index);
  }
  const boxes = [-360, 0, 360].map((turned): Box => [west + turned, south, east + turned, north]);
  return index.meeting(boxes).map(place => partitions[place]!);
}
