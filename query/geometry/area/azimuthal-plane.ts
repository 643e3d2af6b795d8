import geographiclib from 'geographiclib-geodesic';
import type { Geometry } from '../../../datasets/geometry.ts';
import { EQUATORIAL_RADIUS } from '../geodesic.ts';

const { Geodesic } = geographiclib;
const WGS84 = Geodesic.WGS84;
const DEGREE = Math.PI / 180;
/** Tangent of 72°, the highest latitude of the United States: parallels bend against geodesics by it over the radius. */
const MOST_TANGENT = 3.1;

/** Where the lines of a shape begin and end, in vertices. */
function* pathsOf({ ends }: Geometry): Generator<readonly [number, number]> {
  let start = 0;
  for (const end of ends) {
    yield [start, end];
    start = end;
  }
}

/** Longitudes and latitudes as metres east and north of a middle: geodesic distance and azimuth from it are kept. */
export class AzimuthalPlane {
  readonly #lng: number;
  readonly #lat: number;

  constructor(lng: number, lat: number) {
    this.#lng = lng;
    this.#lat = lat;
  }

  /** Of a pair of degrees. */
  metres(lng: number, lat: number): readonly [number, number] {
    const { s12, azi1 } = WGS84.Inverse(this.#lat, this.#lng, lat, lng, Geodesic.DISTANCE | Geodesic.AZIMUTH);
    return [s12! * Math.sin(azi1! * DEGREE), s12! * Math.cos(azi1! * DEGREE)];
  }

  /** Longitude and latitude, the longitude next to that of the middle, beyond ±180 too. */
  degrees(x: number, y: number): readonly [number, number] {
    return this.at(Math.atan2(x, y) / DEGREE, Math.hypot(x, y));
  }

  /** Where a geodesic from the middle ends. @param azimuth degrees from north. */
  at(azimuth: number, metres: number): readonly [number, number] {
    const mask = Geodesic.LATITUDE | Geodesic.LONGITUDE | Geodesic.LONG_UNROLL;
    const { lat2, lon2 } = WGS84.Direct(this.#lat, this.#lng, azimuth, metres, mask);
    return [lon2!, lat2!];
  }

  /**
   * The edges of a shape: x0, y0, x1, y1 of each. Straight in longitude and latitude as they are, they are cut where they bend.
   * @param tolerance metres beside which an edge may be drawn.
   */
  edgesOf(shape: Geometry, tolerance: number): Float64Array {
    const { xy } = shape;
    const edges: number[] = [];
    // The middle of a chord of a circle of radius r is away from it by s² / 8 r.
    const longest = Math.sqrt((8 * EQUATORIAL_RADIUS * tolerance) / MOST_TANGENT);
    for (const [start, end] of pathsOf(shape)) {
      let from = this.metres(xy[2 * start]!, xy[2 * start + 1]!);
      // The whole of a path may be one place.
      if (end - start === 1) edges.push(...from, ...from);
      for (let v = start + 1; v < end; v++) {
        const [lng, lat] = [xy[2 * v]!, xy[2 * v + 1]!];
        const [lng0, lat0] = [xy[2 * v - 2]!, xy[2 * v - 1]!];
        const to = this.metres(lng, lat);
        const pieces = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / longest));
        for (let piece = 1; piece <= pieces; piece++) {
          const share = piece / pieces;
          const next = piece === pieces ? to : this.metres(lng0 + (lng - lng0) * share, lat0 + (lat - lat0) * share);
          edges.push(...from, ...next);
          from = next;
        }
      }
    }
    return Float64Array.from(edges);
  }

  /** A polygon in metres; edges stay straight. */
  inMetres({ xy, ...shape }: Geometry): Geometry {
    return { ...shape, xy: this.#each(xy, (x, y) => this.metres(x, y)) };
  }

  /** A geometry of the plane in degrees. */
  inDegrees({ xy, ...shape }: Geometry): Geometry {
    return { ...shape, xy: this.#each(xy, (x, y) => this.degrees(x, y)) };
  }

  #each(xy: Float64Array, turn: (x: number, y: number) => readonly [number, number]): Float64Array {
    const out = new Float64Array(xy.length);
    for (let i = 0; i < xy.length; i += 2) out.set(turn(xy[i]!, xy[i + 1]!), i);
    return out;
  }
}
