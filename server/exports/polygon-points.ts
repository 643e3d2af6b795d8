import { interiorPoint } from '../../query/geometry/area/interior-point.ts';
import { loadGeos } from '../../query/geometry/geos.ts';
import { readArea } from '../../query/search/page/geojson.ts';
import { MOST_VERTICES } from './limits.ts';
import type { SentPolygon } from './place-row.ts';

/** The point inside of each polygon that its values are of; null of one that is no valid polygon. */
export async function polygonPoints(
  polygons: readonly SentPolygon[],
): Promise<readonly (readonly [lng: number, lat: number] | null)[]> {
  const geos = await loadGeos();
  return polygons.map(polygon => {
    const area = readArea(polygon, 'geometry', MOST_VERTICES);
    if (!('type' in area) || geos.invalidReason(area) !== null) return null;
    return interiorPoint(area);
  });
}
