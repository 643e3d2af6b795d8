import geographiclib from 'geographiclib-geodesic';
import type { Geometry } from '../../../datasets/geometry.ts';
import { ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS, LEAST_RADIUS, radiiAt } from '../geodesic.ts';

const { Geodesic } = geographiclib;
const WGS84 = Geodesic.WGS84;
const DEGREE = Math.PI / 180;
/** Metres; what lies at the radius within this, far above the error of a distance, is in the disc. */
const NOISE = 1e-6;

/** Vertices of the polygon that stands for a geodesic disc; a multiple of four. */
const DISC_VERTICES = 360;
/**
 * A regular polygon has less area than the circle through its corners, by sin(2π/n)/(2π/n): the corners are moved out
 * by the root of that, so that polygon and disc are equally large. The boundary is then nowhere farther from the circle
 * than 2.6e-5 of the radius (13 mm at 500 m), and what a straight edge or a smooth one cuts off agrees far better.
 */
const OUTWARD = Math.sqrt((2 * Math.PI) / DISC_VERTICES / Math.sin((2 * Math.PI) / DISC_VERTICES));

/** What a box is to a disc. */
export const OUTSIDE = 0;
export const WITHIN = 1;
const UNSURE = 2;

/**
 * All places within a geodesic distance of a point. Judges boxes by two planes through the centre, one in which no
 * distance is overrated and one in which none is underrated, so that Karney's inverse is asked only about the few
 * features near the rim.
 */
export class Disc {
  readonly lng: number;
  readonly lat: number;
  /** Metres; what lies at it within a micrometre, the accuracy of a distance, is in the disc. */
  readonly radius: number;
  readonly #leastX: number;
  readonly #leastY: number;
  readonly #mostX: number;
  readonly #mostY: number;
  /** Squares of what is beyond the radius and of what is within it for certain. */
  readonly #outer: number;
  readonly #inner: number;

  /** @param lng,lat the centre in degrees. @param metres the radius. */
  constructor(lng: number, lat: number, metres: number) {
    this.lng = lng;
    this.lat = lat;
    this.radius = metres + NOISE;
    // A path no longer than the radius stays between two latitudes. There M is least and N·cos(lat) greatest at the
    // equator's end (see radiiAt).
    const reach = this.radius / LEAST_RADIUS / DEGREE + 1e-9;
    const pole = Math.abs(lat) + reach;
    const equator = Math.max(0, Math.abs(lat) - reach);
    const steep = radiiAt(Math.min(90, pole));
    const flat = radiiAt(equator);
    this.#leastX = pole < 90 ? steep.N * Math.cos(pole * DEGREE) * DEGREE : 0;
    this.#leastY = flat.M * DEGREE;
    this.#mostX = flat.N * Math.cos(equator * DEGREE) * DEGREE;
    this.#mostY = steep.M * DEGREE;
    this.#outer = (this.radius + NOISE) * (this.radius + NOISE);
    this.#inner = (this.radius - NOISE) * (this.radius - NOISE);
  }

  /**
   * Whether everything in a lng,lat box is within the disc, nothing is, or neither is certain; across ±180 too.
   * @param boxes minX, minY, maxX, maxY in degrees beginning at index `at`.
   */
  relation(boxes: ArrayLike<number>, at = 0): number {
    let west = boxes[at]! - this.lng;
    let east = boxes[at + 2]! - this.lng;
    if (west < -180 || east > 180) [west, east] = turned(west, east);
    const south = boxes[at + 1]! - this.lat;
    const north = boxes[at + 3]! - this.lat;
    const nearX = (west > 0 ? west : east < 0 ? -east : 0) * this.#leastX;
    const nearY = (south > 0 ? south : north < 0 ? -north : 0) * this.#leastY;
    if (nearX * nearX + nearY * nearY > this.#outer) return OUTSIDE;
    const farX = (-west > east ? -west : east) * this.#mostX;
    const farY = (-south > north ? -south : north) * this.#mostY;
    return farX * farX + farY * farY < this.#inner ? WITHIN : UNSURE;
  }

  /** Whether a place is within the disc beyond doubt: degrees. */
  surelyHolds(lng: number, lat: number): boolean {
    const x = Math.abs(lng - this.lng) * this.#mostX;
    const y = (lat - this.lat) * this.#mostY;
    return x * x + y * y < this.#inner;
  }

  /**
   * Metres that no place of a lng,lat box inside the disc is nearer to the centre than; more than the radius where no
   * place of the box is in the disc. Across ±180 too.
   * @param boxes as in relation.
   */
  least(boxes: ArrayLike<number>, at = 0): number {
    return this.leastFrom(this.lng, this.lat, boxes, at);
  }

  /** The same of another place than the centre; it and the ways from it must lie within the disc. */
  leastFrom(lng: number, lat: number, boxes: ArrayLike<number>, at = 0): number {
    let west = boxes[at]! - lng;
    let east = boxes[at + 2]! - lng;
    if (west < -180 || east > 180) [west, east] = turned(west, east);
    const south = boxes[at + 1]! - lat;
    const north = boxes[at + 3]! - lat;
    const nearX = west > 0 ? west : east < 0 ? -east : 0;
    const nearY = south > 0 ? south : north < 0 ? -north : 0;
    const x = nearX * this.#leastX;
    const y = nearY * this.#leastY;
    // What is taken off covers the rounding of the plane.
    return Math.max(0, Math.sqrt(x * x + y * y) - NOISE);
  }

  /** lng,lat boxes that together hold the disc: two where it reaches across ±180. */
  get boxes(): readonly (readonly [number, number, number, number])[] {
    const y = this.radius / this.#leastY;
    const x = this.#leastX > 0 ? this.radius / this.#leastX : 360;
    const [south, north] = [Math.max(-90, this.lat - y), Math.min(90, this.lat + y)];
    if (x >= 180) return [[-180, south, 180, north]];
    const [west, east] = [this.lng - x, this.lng + x];
    if (west < -180)
      return [
        [-180, south, east, north],
        [west + 360, south, 180, north],
      ];
    if (east > 180)
      return [
        [west, south, 180, north],
        [-180, south, east - 360, north],
      ];
    return [[west, south, east, north]];
  }
}

/** An interval relative to the centre in the turn that brings it nearest; all turns together where it is half the globe. */
function turned(west: number, east: number): [number, number] {
  if (east - west > 180) return [-180, 180];
  const centre = (west + east) / 2;
  const turn = centre > 180 ? -360 : centre < -180 ? 360 : 0;
  // A turn may put the farther end nearer than the other turn would: as far as that matters the interval is widened.
  const [a, b] = [west + turn, east + turn];
  return a < -180 || b > 180 ? [-180, 180] : [a, b];
}

/** Up to this length Bowring's solution is within 0.1 µm of Karney's, and costs a fifth: metres. */
const SHORT = 5_000;
/** Second eccentricity squared of WGS84. */
const SECOND = ECCENTRICITY_SQUARED / (1 - ECCENTRICITY_SQUARED);

/**
 * Where a geodesic ends: B. R. Bowring, "The direct and inverse problems for short geodesic lines on the ellipsoid"
 * (Surveying and Mapping 41, 1981) for short ones, else Karney.
 * @param azimuth degrees clockwise from north.
 * @returns degrees of longitude to the east, and the latitude.
 */
function direct(lat: number, azimuth: number, metres: number): readonly [number, number] {
  if (metres > SHORT) {
    const { lon2, lat2 } = WGS84.Direct(lat, 0, azimuth, metres, Geodesic.LONGITUDE | Geodesic.LATITUDE);
    return [lon2!, lat2!];
  }
  const [cos, sin] = [Math.cos(lat * DEGREE), Math.sin(lat * DEGREE)];
  const [east, north] = [Math.sin(azimuth * DEGREE), Math.cos(azimuth * DEGREE)];
  const A = Math.sqrt(1 + SECOND * cos ** 4);
  const B = Math.sqrt(1 + SECOND * cos * cos);
  const sigma = (metres * B * B) / (EQUATORIAL_RADIUS * Math.sqrt(1 + SECOND));
  const tan = Math.tan(sigma);
  const turned = Math.atan2(A * tan * east, B * cos - tan * sin * north);
  const D = Math.asin(Math.sin(sigma) * (north - (sin * east * Math.tan(turned / 2)) / A)) / 2;
  const up = 2 * D * (B - 1.5 * SECOND * D * Math.sin(2 * lat * DEGREE + (4 / 3) * B * D));
  return [turned / A / DEGREE, lat + up / DEGREE];
}

/**
 * A geodesic disc as a polygon of 360 vertices, as large as the disc (see DISC_VERTICES), by Karney's direct solution, or
 * Bowring's where that is as good.
 * Longitudes go on beyond ±180 rather than jump.
 * @param lng,lat the centre in degrees. @param metres the radius; at most a quarter of the meridian.
 * @throws RangeError when the disc holds a pole, around which no ring of longitudes closes.
 */
export function discPolygon(lng: number, lat: number, metres: number): Geometry {
  if (Math.abs(lat) + metres / LEAST_RADIUS / DEGREE >= 90 || metres > EQUATORIAL_RADIUS)
    throw new RangeError(`A disc of ${metres} m about latitude ${lat} holds a pole`);
  const xy = new Float64Array(2 * (DISC_VERTICES + 1));
  const half = DISC_VERTICES / 2;
  for (let i = 0; i <= half; i++) {
    const azimuth = (i * 360) / DISC_VERTICES;
    const [x, y] = direct(lat, azimuth, metres * OUTWARD);
    // East and west mirror each other.
    for (const [vertex, east] of [
      [i, x],
      [DISC_VERTICES - i, -x],
    ] as const) {
      xy[2 * vertex] = lng + east;
      xy[2 * vertex + 1] = y;
    }
  }
  return { type: 'Polygon', xy, ends: Uint32Array.of(DISC_VERTICES + 1), parts: Uint32Array.of(1) };
}
