import { ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS } from '../geodesic.ts';

const DEGREE = Math.PI / 180;

const SQUARE_DEGREE = EQUATORIAL_RADIUS ** 2 * (1 - ECCENTRICITY_SQUARED) * DEGREE * DEGREE;

/** Square metres of a square degree at a latitude: M·N·cos(lat), the area element of the ellipsoid (see radiiAt). */
export function elementAt(lat: number): number {
  const sin = Math.sin(lat * DEGREE);
  const w = 1 - ECCENTRICITY_SQUARED * sin * sin;
  return (SQUARE_DEGREE * Math.cos(lat * DEGREE)) / (w * w);
}
