import geographiclib from 'geographiclib-geodesic';
import { ShortGeodesic } from './short-geodesic.ts';

const { Geodesic } = geographiclib;
const WGS84 = Geodesic.WGS84;
const short = new ShortGeodesic();
const DEGREE = Math.PI / 180;
const HALF_DEGREE = Math.PI / 360;

/** Semi-major axis of WGS84 in metres (NGA.STND.0036, table 3.1). */
export const EQUATORIAL_RADIUS = 6378137;
/** First eccentricity squared of WGS84, from its flattening 1/298.257223563. */
export const ECCENTRICITY_SQUARED = (2 - 1 / 298.257223563) / 298.257223563;
/** Smallest radius of curvature of WGS84 in metres: the meridian's at the equator, a(1 - e²). */
export const LEAST_RADIUS = EQUATORIAL_RADIUS * (1 - ECCENTRICITY_SQUARED);

/**
 * Geodesic distance on WGS84 by Karney's inverse solution (C. F. F. Karney, "Algorithms for geodesics", 2013), or for short
 * lines by one that agrees with it (short-geodesic.ts).
 * @param lng1 longitude of the first point in degrees, any turn; coordinates go lng,lat.
 * @returns metres, accurate to about 15 nm, and 0.2 µm for lines up to a degree.
 */
export function distance(lng1: number, lat1: number, lng2: number, lat2: number): number {
  if (short.solve(lng1, lat1, lng2, lat2)) return short.metres;
  return WGS84.Inverse(lat1, lng1, lat2, lng2, Geodesic.DISTANCE).s12!;
}

/** Where a geodesic ends: its length and the direction it arrives in. */
interface Arrival {
  readonly metres: number;
  /** Unit vector at the second point pointing onward, away from the first; east and north components. */
  readonly east: number;
  readonly north: number;
}

/**
 * Geodesic distance with the direction of arrival at the second point: the gradient of the distance there.
 * @returns metres; the direction is arbitrary when the points coincide. Good until the next line is asked about.
 */
export function arrive(lng1: number, lat1: number, lng2: number, lat2: number): Arrival {
  if (short.solve(lng1, lat1, lng2, lat2)) return short;
  const { s12, azi2 } = WGS84.Inverse(lat1, lng1, lat2, lng2, Geodesic.DISTANCE | Geodesic.AZIMUTH);
  const azimuth = azi2! * DEGREE;
  return { metres: s12!, east: Math.sin(azimuth), north: Math.cos(azimuth) };
}

/**
 * Principal radii of curvature of WGS84 at a latitude: M along the meridian, N along the prime vertical
 * (Torge & Müller, Geodesy, 4.1.3).
 * @param lat degrees.
 * @returns metres; M(lat) grows towards the poles, and so does N(lat), while N·cos(lat) shrinks.
 */
export function radiiAt(lat: number): { M: number; N: number } {
  const sin = Math.sin(lat * DEGREE);
  const w = 1 - ECCENTRICITY_SQUARED * sin * sin;
  const N = EQUATORIAL_RADIUS / Math.sqrt(w);
  return { M: (N * (1 - ECCENTRICITY_SQUARED)) / w, N };
}

/** The difference of two longitudes turned into [-180, 180]. */
export function turn(degrees: number): number {
  if (degrees >= -180 && degrees <= 180) return degrees;
  return degrees - 360 * Math.round(degrees / 360);
}

/**
 * A lower bound of the geodesic distance from a point to a lng,lat box, across ±180 where that is shorter.
 * The metric of WGS84 is ds² = M²dφ² + N²cos²φ dλ² with M and N at least `radius`, so every path is at least
 * `radius` times as long as the same lng,lat path on the unit sphere. There the nearest point of a box is straight
 * north or south, or on the meridian of the nearer edge, as in geoflatbush.
 * @param lng,lat degrees.
 * @param boxes minX, minY, maxX, maxY in degrees beginning at index `at`.
 * @param radius metres; the least radius of curvature on any path that matters.
 * @returns metres, 0 inside the box; never more than the true distance.
 */
export function boxLowerBound(
  lng: number,
  lat: number,
  boxes: ArrayLike<number>,
  at = 0,
  radius: number = LEAST_RADIUS,
): number {
  const minX = boxes[at]!;
  const minY = boxes[at + 1]!;
  const maxX = boxes[at + 2]!;
  const maxY = boxes[at + 3]!;
  let arc: number;
  const apart = gap(lng, minX, maxX);
  if (apart === 0) {
    arc = lat < minY ? minY - lat : lat > maxY ? lat - maxY : 0;
    arc *= DEGREE;
  } else {
    const cos = Math.cos(lat * DEGREE);
    // Latitude where the meridian of the edge comes closest; beyond the box, one of its corners is nearest.
    const best = Math.atan2(Math.sin(lat * DEGREE), cos * Math.cos(apart * DEGREE)) / DEGREE;
    const half = Math.sin(apart * HALF_DEGREE) ** 2 * cos;
    const haversine = (y: number) => Math.sin((y - lat) * HALF_DEGREE) ** 2 + half * Math.cos(y * DEGREE);
    const h = best > minY && best < maxY ? haversine(best) : Math.min(haversine(minY), haversine(maxY));
    arc = 2 * Math.asin(Math.min(1, Math.sqrt(h)));
  }
  // What is taken off covers rounding: a bound must not exceed the distance by even a nanometre.
  return Math.max(0, arc * radius * (1 - 1e-12) - 1e-6);
}

/** Degrees of longitude between a meridian and the nearer edge of an interval, 0 inside it in any turn. */
function gap(lng: number, minX: number, maxX: number): number {
  if (lng >= minX && lng <= maxX) return 0;
  if (lng + 360 >= minX && lng + 360 <= maxX) return 0;
  if (lng - 360 >= minX && lng - 360 <= maxX) return 0;
  return Math.min(Math.abs(turn(minX - lng)), Math.abs(turn(lng - maxX)));
}
