import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import { type GeosPolygons, polygonsToGeometry, ringsOf } from '../geos.ts';
import { AzimuthalPlane } from './azimuthal-plane.ts';

/** Vertices of the circle about a point: its edges come no nearer than cos(π/360) of the radius, 0.004 % less. */
const CIRCLE = 360;
/** Segments of a quarter of a circle about other shapes: cos(π/4/45) of the distance, 0.015 % less. */
const QUARTER = 45;
/** Shares of the distance by which edges may be drawn beside where they are, and what is about them. */
const BEND = 2e-4;
const TOLERANCE = 1e-4;
/** Metres of the first at least: a hundredth of what boundaries are known to. */
const LEAST_BEND_M = 0.01;
/** Decimals of a degree: a tenth of a millimetre. */
const SCALE = 1e9;

/**
 * Metres from the middle of a shape beyond which no circle about it is drawn: an azimuthal equidistant projection stretches what lies
 * so far out by c / sin c, 0.04 % (Snyder, Map Projections, 1987, formula 25-2).
 */
const MOST_REACH_M = 300_000;

/** All places within a distance of a point: vertices lie on geodesics from it. */
function circle(lng: number, lat: number, metres: number): Geometry {
  const plane = new AzimuthalPlane(lng, lat);
  const ring = new Float64Array(2 * (CIRCLE + 1));
  for (let i = 0; i < CIRCLE; i++) ring.set(plane.at(-(i * 360) / CIRCLE, metres), 2 * i);
  ring.set(ring.subarray(0, 2), 2 * CIRCLE);
  return polygonsToGeometry([[ring]]);
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
  const edges = plane.edgesOf(shape, Math.max(LEAST_BEND_M, metres * BEND));
  if (edges.length / 4 > MOST_EDGES) return null;
  const about = await aroundAll(edges, metres, geos, step);
  const degrees = about && plane.inDegrees(about);
  return exact(degrees && shape.parts.length ? geos.union([shape, degrees]) : degrees, geos);
}

/** A geometry within ±180 whose coordinates have nine decimals: what GEOS drew, as answers have it. */
export function exact(geometry: Geometry | null, geos: GeosPolygons): Geometry | null {
  const whole = geometry && wrapped(geometry, geos);
  if (!whole) return null;
  const rounded = { ...whole, xy: whole.xy.map(value => Math.round(value * SCALE) / SCALE) };
  return geos.invalidReason(rounded) === null ? rounded : geos.makeValid(rounded, 'structure');
}
