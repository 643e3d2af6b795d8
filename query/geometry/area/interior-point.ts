import polylabel from 'polylabel';
import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import { polygonsToGeometry, ringsOf } from '../geos.ts';
import { geodesicArea } from './geodesic-area.ts';
import { surfacePoint } from './surface-point.ts';

/** Metres of one degree of latitude; only scales the plane in which the point is searched. */
const METRES_PER_DEGREE = 111_195.08;
const COARSEST_M = 0.5;
const FINEST_M = 1e-6;

/** Places that a search looks at, at most: twenty times what the hardest of Bangor's 10,643 parcels takes, and about a second. */
const MOST_PROBES = 200_000;
/** Vertices that a search may look at over all its places. Far from a place, 32 vertices cost as much as one. */
const MOST_VERTICES = 2e8;

/** A point inside a polygon. */
interface Pole {
  readonly lng: number;
  readonly lat: number;
  /** From there to the outline, in the plane. */
  readonly metres: number;
  /** Whether it is the pole of inaccessibility; otherwise the search for it was too long, and it is any point inside. */
  readonly isPole: boolean;
}

class SearchTooLong extends Error {}

/** A precision of polylabel, which asks for it at each place that it looks at: there its search can be ended. */
class CountedPrecision {
  readonly #metres: number;
  readonly #budget: { asked: number };

  constructor(metres: number, budget: { asked: number }) {
    this.#metres = metres;
    this.#budget = budget;
  }

  /** @throws SearchTooLong */
  valueOf(): number {
    if (this.#budget.asked-- <= 0) throw new SearchTooLong();
    return this.#metres;
  }
}

/**
 * A point well inside a polygon: the pole of inaccessibility (Garcia-Castellanos & Lombardo, "Poles of inaccessibility",
 * Scottish Geographical Journal 123(3), 2007), by mapbox's polylabel on a plane scaled to local metres. Of a
 * multipolygon, in its part of the largest geodesic area. Where that would take long, because a polygon is a hundred thousand
 * times as long as wide, it is the point that PointOnSurface of GEOS gives.
 * @param geometry valid polygon, lng,lat degrees WGS84.
 * @returns lng,lat; null when no interior is wider than a micrometre (the polygon is a sliver of no width).
 */
export function interiorPoint(geometry: Geometry): [number, number] | null {
  const pole = poleOf(geometry);
  return pole && [pole.lng, pole.lat];
}

/** The rings of the largest polygon. */
function largestOf(geometry: Geometry): readonly Float64Array[] {
  const polygons = ringsOf(geometry);
  if (polygons.length === 1) return polygons[0]!;
  let [largest, most] = [polygons[0]!, -1];
  for (const rings of polygons) {
    const area = geodesicArea(polygonsToGeometry([rings]));
    if (area > most) [largest, most] = [rings, area];
  }
  return largest;
}

/** As `interiorPoint`, and what is known of the point. */
export function poleOf(geometry: Geometry): Pole | null {
  const rings = largestOf(geometry);
  const [minX, minY, maxX, maxY] = boxOf(polygonsToGeometry([rings]));
  const x0 = (minX + maxX) / 2;
  const y0 = (minY + maxY) / 2;
  const scaleX = METRES_PER_DEGREE * Math.cos((y0 * Math.PI) / 180);
  const width = (maxX - minX) * scaleX;
  const height = (maxY - minY) * METRES_PER_DEGREE;
  const plane: [number, number][][] = [];
  let vertices = 0;
  for (const ring of rings) {
    const points: [number, number][] = [];
    for (let i = 0; i < ring.length; i += 2)
      points.push([(ring[i]! - x0) * scaleX, (ring[i + 1]! - y0) * METRES_PER_DEGREE]);
    plane.push(points);
    vertices += points.length;
  }
  const place = (x: number, y: number, metres: number, isPole: boolean): Pole => ({
    lng: x0 + x / scaleX,
    lat: y0 + y / METRES_PER_DEGREE,
    metres,
    isPole,
  });
  const probes = Math.min(MOST_PROBES, MOST_VERTICES / (32 + vertices / 32));
  // Two questions a place, and one for each that is taken out of the queue.
  const budget = { asked: 3 * probes };
  try {
    // The search may end outside a polygon narrower than its precision, so a miss is searched again more finely.
    for (let precision = COARSEST_M; precision >= FINEST_M; precision /= 10) {
      if (Math.min(width, height) <= precision) continue;
      const found = polylabel(plane, new CountedPrecision(precision, budget) as unknown as number);
      if (found.distance > 0) return place(found[0], found[1], found.distance, true);
    }
    return null;
  } catch (error) {
    if (!(error instanceof SearchTooLong)) throw error;
    const point = surfacePoint(plane);
    return point && point.distance >= FINEST_M ? place(point.x, point.y, point.distance, false) : null;
  }
}
