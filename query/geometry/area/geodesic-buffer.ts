import geographiclib from 'geographiclib-geodesic';
import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import { EQUATORIAL_RADIUS } from '../geodesic.ts';
import { type GeosPolygons, polygonsToGeometry, ringsOf } from '../geos.ts';

const { Geodesic } = geographiclib;
const WGS84 = Geodesic.WGS84;
const DEGREE = Math.PI / 180;

/** Vertices of the circle about a point: its edges come no nearer than cos(π/360) of the radius, 0.004 % less. */
const CIRCLE = 360;
/** Segments of a quarter of a circle about other shapes: cos(π/4/45) of the distance, 0.015 % less. */
const QUARTER = 45;
/** Shares of the distance by which edges may be drawn beside where they are, and what is about them. */
const BEND = 2e-4;
const TOLERANCE = 1e-4;
/** Metres of the first at least: a hundredth of what boundaries are known to. */
const LEAST_BEND_M = 0.01;
/** Tangent of 72°, the highest latitude of the United States: parallels bend against geodesics by it over the radius. */
const MOST_TANGENT = 3.1;
/** Decimals of a degree: a tenth of a millimetre. */
const SCALE = 1e9;

/**
 * Metres from the middle of a shape beyond which no circle about it is drawn: an azimuthal equidistant projection stretches what lies
 * so far out by c / sin c, 0.04 % (Snyder, Map Projections, 1987, formula 25-2).
 */
const MOST_REACH_M = 300_000;

/** Longitudes and latitudes as metres east and north of a middle: geodesic distance and azimuth from it are kept. */
class AzimuthalPlane {
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
}

/** All places within a distance of a point: vertices lie on geodesics from it. */
function circle(lng: number, lat: number, metres: number): Geometry {
  const plane = new AzimuthalPlane(lng, lat);
  const ring = new Float64Array(2 * (CIRCLE + 1));
  for (let i = 0; i < CIRCLE; i++) ring.set(plane.at(-(i * 360) / CIRCLE, metres), 2 * i);
  ring.set(ring.subarray(0, 2), 2 * CIRCLE);
  return polygonsToGeometry([[ring]]);
}

/** Where the lines of a shape begin and end, in vertices. */
function* pathsOf({ ends }: Geometry): Generator<readonly [number, number]> {
  let start = 0;
  for (const end of ends) {
    yield [start, end];
    start = end;
  }
}

/** The edges of a shape in a plane: straight in longitude and latitude as they are, they are cut where they bend. */
function edgesOf(shape: Geometry, plane: AzimuthalPlane, tolerance: number): Float64Array {
  const { xy } = shape;
  const edges: number[] = [];
  // The middle of a chord of a circle of radius r is away from it by s² / 8 r.
  const longest = Math.sqrt((8 * EQUATORIAL_RADIUS * tolerance) / MOST_TANGENT);
  for (const [start, end] of pathsOf(shape)) {
    let from = plane.metres(xy[2 * start]!, xy[2 * start + 1]!);
    // The whole of a path may be one place.
    if (end - start === 1) edges.push(...from, ...from);
    for (let v = start + 1; v < end; v++) {
      const [lng, lat] = [xy[2 * v]!, xy[2 * v + 1]!];
      const [lng0, lat0] = [xy[2 * v - 2]!, xy[2 * v - 1]!];
      const to = plane.metres(lng, lat);
      const pieces = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / longest));
      for (let piece = 1; piece <= pieces; piece++) {
        const share = piece / pieces;
        const next = piece === pieces ? to : plane.metres(lng0 + (lng - lng0) * share, lat0 + (lat - lat0) * share);
        edges.push(...from, ...next);
        from = next;
      }
    }
  }
  return Float64Array.from(edges);
}

/** Edges that are buffered at once: each meets most others of its piece, so that few cost less than their number says. */
const PIECE = 16;
/** Edges of a shape beyond which nothing is drawn: seconds of work. */
const MOST_EDGES = 2_000;

/** All places within a distance of edges in the plane; null where GEOS finds none. */
async function aroundAll(
  edges: Float64Array,
  metres: number,
  geos: GeosPolygons,
  step: () => Promise<void> | undefined,
): Promise<Geometry | null> {
  const pieces: Geometry[] = [];
  for (let at = 0; at < edges.length; at += 4 * PIECE) {
    await step();
    const piece = geos.around(edges.subarray(at, at + 4 * PIECE), metres, QUARTER);
    if (!piece) return null;
    pieces.push(piece);
  }
  const whole = pieces.length === 1 ? pieces[0]! : geos.union(pieces);
  return whole && geos.simplified(whole, metres * TOLERANCE);
}

/** A plane geometry in degrees, a tenth of a millimetre exact. */
function inDegrees(flat: Geometry, plane: AzimuthalPlane): Geometry {
  const xy = new Float64Array(flat.xy.length);
  for (let i = 0; i < xy.length; i += 2) xy.set(plane.degrees(flat.xy[i]!, flat.xy[i + 1]!), i);
  return { ...flat, xy };
}

/** A geometry within ±180: what lies beyond is a part of its own on the other side. */
function wrapped(geometry: Geometry, geos: GeosPolygons): Geometry | null {
  const [west, , east] = boxOf(geometry);
  if (west >= -180 && east <= 180) return geometry;
  const parts: Float64Array[][] = [];
  for (const turn of [-360, 0, 360]) {
    const part = geos.within(geometry, [-180 + turn, -90, 180 + turn, 90]);
    if (!part) continue;
    const moved = { ...part, xy: part.xy.map((value, i) => (i % 2 === 0 ? value - turn : value)) };
    parts.push(...ringsOf(moved));
  }
  return parts.length === 0 ? null : polygonsToGeometry(parts);
}

/**
 * All places within a geodesic distance of a shape on WGS84, 0.1 % exact in distance and in area. What is drawn about anything but a
 * point is drawn in the azimuthal equidistant projection about its middle.
 * @param shape lng,lat degrees; edges straight in them; of a polygon the inside belongs to it.
 * @param metres above 0. @param step lets others between.
 * @returns valid polygons within ±180, or null where the shape reaches farther than MOST_REACH_M or has more than MOST_EDGES edges.
 */
export async function geodesicBuffer(
  shape: Geometry,
  metres: number,
  geos: GeosPolygons,
  step: () => Promise<void> | undefined,
): Promise<Geometry | null> {
  const [west, south, east, north] = boxOf(shape);
  if (shape.type === 'Point') return exact(circle(west, south, metres), geos);
  if (east - west > 180) return null;
  const plane = new AzimuthalPlane((west + east) / 2, (south + north) / 2);
  for (const lng of [west, east])
    for (const lat of [south, north]) if (Math.hypot(...plane.metres(lng, lat)) > MOST_REACH_M) return null;
  const edges = edgesOf(shape, plane, Math.max(LEAST_BEND_M, metres * BEND));
  if (edges.length / 4 > MOST_EDGES) return null;
  const about = await aroundAll(edges, metres, geos, step);
  const degrees = about && inDegrees(about, plane);
  return exact(degrees && shape.parts.length ? geos.union([shape, degrees]) : degrees, geos);
}

/** A geometry within ±180 whose coordinates have nine decimals. */
function exact(geometry: Geometry | null, geos: GeosPolygons): Geometry | null {
  const whole = geometry && wrapped(geometry, geos);
  if (!whole) return null;
  const rounded = { ...whole, xy: whole.xy.map(value => Math.round(value * SCALE) / SCALE) };
  return geos.invalidReason(rounded) === null ? rounded : geos.makeValid(rounded, 'structure');
}
