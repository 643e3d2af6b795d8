import polylabel from 'polylabel';
import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import { polygonsToGeometry, ringsOf } from '../geos.ts';
import { geodesicArea } from './geodesic-area.ts';

/** Metres of one degree of latitude; only scales the plane in which the point is searched. */
const METRES_PER_DEGREE = 111_195.08;
const COARSEST_M = 0.5;
const FINEST_M = 1e-6;

/**
 * A point well inside a polygon: the pole of inaccessibility (Garcia-Castellanos & Lombardo, "Poles of inaccessibility",
 * Scottish Geographical Journal 123(3), 2007), by mapbox's polylabel on a plane scaled to local metres. Of a
 * multipolygon, in its part of the largest geodesic area.
 * @param geometry valid polygon, lng,lat degrees WGS84.
 * @returns lng,lat; null when even a micrometre search finds no interior (the polygon is a sliver of no width).
 */
export function interiorPoint(geometry: Geometry): [number, number] | null {
  const pole = poleOf(geometry);
  return pole && [pole[0], pole[1]];
}

/** As `interiorPoint`. @returns lng,lat and the metres from there to the outline in the plane. */
export function poleOf(geometry: Geometry): [lng: number, lat: number, metres: number] | null {
  const polygons = ringsOf(geometry);
  const areas = polygons.length === 1 ? [1] : polygons.map(rings => geodesicArea(polygonsToGeometry([rings])));
  const rings = polygons[areas.indexOf(Math.max(...areas))]!;
  const [minX, minY, maxX, maxY] = boxOf(polygons.length === 1 ? geometry : polygonsToGeometry([rings]));
  const x0 = (minX + maxX) / 2;
  const y0 = (minY + maxY) / 2;
  const scaleX = METRES_PER_DEGREE * Math.cos((y0 * Math.PI) / 180);
  const plane = rings.map(ring => {
    const points: [number, number][] = [];
    for (let i = 0; i < ring.length; i += 2)
      points.push([(ring[i]! - x0) * scaleX, (ring[i + 1]! - y0) * METRES_PER_DEGREE]);
    return points;
  });
  // The search may end outside a polygon narrower than its precision, so a miss is searched again more finely.
  for (let precision = COARSEST_M; precision >= FINEST_M; precision /= 10) {
    const found = polylabel(plane, precision);
    if (found.distance > 0) return [x0 + found[0]! / scaleX, y0 + found[1]! / METRES_PER_DEGREE, found.distance];
  }
  return null;
}
