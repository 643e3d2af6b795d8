import proj4 from 'proj4';
import type { Position } from './feature.ts';

const feet = (meridian: number, latitude: number, easting: number) =>
  proj4(
    `+proj=tmerc +lat_0=${latitude} +lon_0=${meridian} +k=0.9999666666666667 +x_0=${easting} +y_0=0 +ellps=GRS80 +units=us-ft +no_defs`,
  );
const maine = feet(-70.16666666666667, 42.83333333333334, 900000);
const newHampshire = feet(-71.66666666666667, 42.5, 300000);
const utm19 = proj4('+proj=utm +zone=19 +ellps=GRS80 +units=m +no_defs');

/** Rounded to a ten-thousandth of a foot. */
const rounded = ([x, y]: number[]): Position => [Math.round(x! * 1e4) / 1e4, Math.round(y! * 1e4) / 1e4];

/**
 * What the agencies of each state ship, and lng,lat to it in US survey feet: NAD83 / Maine West (ftUS), and NAD83 / New
 * Hampshire (ftUS).
 */
export const STATE_PLANES = {
  ME: { crs: 'EPSG:26848', project: (position: Position) => rounded(maine.forward([...position])) },
  NH: { crs: 'EPSG:3437', project: (position: Position) => rounded(newHampshire.forward([...position])) },
} as const;

/** lng,lat to EPSG:26919 (NAD83 / UTM zone 19N) in metres. */
export function toUtm19([lng, lat]: Position): Position {
  return utm19.forward([lng, lat]) as [number, number];
}

/** EPSG:26919 in metres to lng,lat. */
export function fromUtm19([x, y]: Position): Position {
  return utm19.inverse([x, y]) as [number, number];
}
