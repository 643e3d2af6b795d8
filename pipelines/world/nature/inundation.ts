import type { Feature, Position } from '../format/feature.ts';
import { area } from '../format/file.ts';
import { EXTENT, fromFrame, vertex } from '../frame.ts';
import type { Terrain } from './terrain.ts';

/** Metres between the vertices of a shore line, and the finest step inland in which its height is looked for. */
const STEP = 200;
const FINE = 2;
/** Beyond it the shore of no level is looked for. */
const LIMIT = 600;
export const METRES_PER_FOOT = 0.3048;

/** Metres inland of the coast to which the sea reaches when it stands `feet` higher: the first ground above it. */
function reach(terrain: Terrain, along: number, feet: number): number {
  const coast = terrain.coast(along);
  for (let inland = 0; inland < LIMIT; inland += FINE)
    if (terrain.elevation(...fromFrame([along, coast + inland])) > feet * METRES_PER_FOOT) return inland;
  return LIMIT;
}

/** NOAA sea level rise: ground and sea under water when the sea stands `feet` above mean higher high water. */
export function inundated(terrain: Terrain, feet: number): Feature {
  const count = (EXTENT.east - EXTENT.west) / STEP;
  const shore = Array.from({ length: count + 1 }, (_, i): Position => {
    const along = EXTENT.west + i * STEP;
    return vertex(along, terrain.coast(along) + reach(terrain, along, feet));
  });
  const [west, east] = [vertex(EXTENT.west, EXTENT.sea), vertex(EXTENT.east, EXTENT.sea)];
  return area({}, [west, east, ...shore.reverse(), west]);
}

/** Storm tide above the ground in whole feet: SLOSH maximum of maximums, none where the ground is higher. 99 is leveed. */
export function surgeFeet(terrain: Terrain, [lng, lat]: Position, tide: number): number {
  if (terrain.isSea(lng, lat)) return 0;
  const feet = Math.ceil(tide - terrain.elevation(lng, lat) / METRES_PER_FOOT);
  // The shore south of the river's mouth stands behind a levee.
  return feet <= 0 ? 0 : lat < 42.98 ? 99 : feet;
}
