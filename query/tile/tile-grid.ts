import type { Box } from '../../datasets/geometry.ts';

/** A tile of the grid of web maps (OGC WebMercatorQuad): `x` from the west, `y` from the north. */
export interface TileName {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Units along the side of a tile, as map clients expect. */
export const EXTENT = 4096;
/** Units that geometries reach over the sides, so that outlines along these are not drawn. */
export const BUFFER = 64;

/** Where a longitude stands in a tile: units from its west side. */
export const xIn = (lng: number, { z, x }: TileName): number => ((lng / 360 + 0.5) * 2 ** z - x) * EXTENT;

/** Where a latitude stands in a tile: units from its north side (spherical Mercator, EPSG:3857). */
export function yIn(lat: number, { z, y }: TileName): number {
  const sine = Math.min(0.9999, Math.max(-0.9999, Math.sin((lat * Math.PI) / 180)));
  return ((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z - y) * EXTENT;
}

/** Longitude and latitude of a place in the grid, in tiles from its north-west corner. */
export const lngAt = (x: number, z: number) => (x / 2 ** z - 0.5) * 360;
export const latAt = (y: number, z: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI;

/** West, south, east, north of a tile and its buffer, degrees. */
export function boxOfTile({ z, x, y }: TileName): Box {
  const buffer = BUFFER / EXTENT;
  return [lngAt(x - buffer, z), latAt(y + 1 + buffer, z), lngAt(x + 1 + buffer, z), latAt(y - buffer, z)];
}

/** Whether the grid has such a tile. */
export const isTile = ({ z, x, y }: TileName): boolean =>
  [z, x, y].every(Number.isInteger) && z >= 0 && x >= 0 && y >= 0 && x < 2 ** z && y < 2 ** z;
