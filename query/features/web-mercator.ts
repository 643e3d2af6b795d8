import type { Geometry } from '../../datasets/geometry.ts';

/** Radius of the sphere of EPSG:3857, meters. */
const RADIUS_M = 6_378_137;
/** The latitude at which the square of web maps ends. */
const MOST_LAT = 85.051_128_779_806_59;
const RADIANS = Math.PI / 180;

/** Positions of EPSG:3857 in meters, from lng,lat degrees; beyond the square of web maps they are at its edge. */
export function toMercator(geometry: Geometry): Geometry {
  const xy = geometry.xy.slice();
  for (let i = 0; i < xy.length; i += 2) {
    const lat = Math.min(MOST_LAT, Math.max(-MOST_LAT, xy[i + 1]!));
    xy[i] = xy[i]! * RADIANS * RADIUS_M;
    xy[i + 1] = RADIUS_M * Math.log(Math.tan(Math.PI / 4 + (lat * RADIANS) / 2));
  }
  return { ...geometry, xy };
}

/** Positions as lng,lat degrees, from meters of EPSG:3857. */
export function fromMercator(geometry: Geometry): Geometry {
  const xy = geometry.xy.slice();
  for (let i = 0; i < xy.length; i += 2) {
    xy[i] = xy[i]! / RADIUS_M / RADIANS;
    xy[i + 1] = (2 * Math.atan(Math.exp(xy[i + 1]! / RADIUS_M)) - Math.PI / 2) / RADIANS;
  }
  return { ...geometry, xy };
}
