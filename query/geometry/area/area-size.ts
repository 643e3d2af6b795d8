import type { Geometry } from '../../../datasets/geometry.ts';
import { ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS } from '../geodesic.ts';
import { ringsOf } from '../geos.ts';

const DEGREE = Math.PI / 180;
const E = Math.sqrt(ECCENTRICITY_SQUARED);

/** Degrees of latitude of an edge up to which five points are as exact as doubles are. */
const PIECE_DEGREES = 10;
/** Points and weights of Gauss and Legendre's quadrature over [-1, 1] (Abramowitz & Stegun, table 25.4, n = 5). */
const POINTS = [0, 0.5384693101056831, -0.5384693101056831, 0.906179845938664, -0.906179845938664] as const;
const WEIGHTS = [
  0.5688888888888889, 0.47862867049936647, 0.47862867049936647, 0.23692688505618908, 0.23692688505618908,
] as const;

/**
 * Square kilometres that an area covers on WGS84 whose edges are straight in longitude and latitude. The area between an
 * edge and the equator is a²/2 ∫ q dλ with q of Snyder's Map Projections (1987), formula 3-12: of two sides of a ring
 * only the inner one is measured, however large it is. Parts added, holes subtracted.
 * @param geometry valid, lng,lat in degrees.
 */
export function squareKilometres(geometry: Geometry): number {
  let total = 0;
  for (const [shell, ...holes] of ringsOf(geometry)) {
    total += ringKm2(shell!);
    for (const hole of holes) total -= ringKm2(hole);
  }
  return total;
}

function ringKm2(ring: Float64Array): number {
  let sum = 0;
  for (let i = 2; i < ring.length; i += 2) {
    const [x0, y0, x1, y1] = [ring[i - 2]!, ring[i - 1]!, ring[i]!, ring[i + 1]!];
    const pieces = Math.max(1, Math.ceil(Math.abs(y1 - y0) / PIECE_DEGREES));
    const half = (y1 - y0) / pieces / 2;
    let mean = 0;
    for (let piece = 0; piece < pieces; piece++) {
      const centre = y0 + half * (2 * piece + 1);
      for (let k = 0; k < POINTS.length; k++) mean += WEIGHTS[k]! * q(centre + half * POINTS[k]!);
    }
    sum += ((x1 - x0) * DEGREE * mean) / (2 * pieces);
  }
  return (Math.abs(sum) * EQUATORIAL_RADIUS ** 2) / 2e6;
}

/** Snyder's q of a latitude in degrees. */
function q(lat: number): number {
  const sin = Math.sin(lat * DEGREE);
  return (1 - ECCENTRICITY_SQUARED) * (sin / (1 - ECCENTRICITY_SQUARED * sin * sin) + Math.atanh(E * sin) / E);
}
