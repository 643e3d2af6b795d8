import type { Geometry } from '../../datasets/geometry.ts';
import { toGeoJson } from '../search/page/geojson.ts';

/** A geometry of any type as GeoJSON (RFC 7946), coordinates as they are: lng,lat, or meters of EPSG:3857. */
export function featureGeometry(geometry: Geometry): { readonly type: string; readonly coordinates: unknown } {
  const { type, xy, ends } = geometry;
  if (type === 'Polygon' || type === 'MultiPolygon') return toGeoJson(geometry);
  const positions = Array.from({ length: xy.length / 2 }, (_, i) => [xy[2 * i]!, xy[2 * i + 1]!]);
  if (type === 'Point') return { type, coordinates: positions[0]! };
  if (type === 'MultiPoint' || type === 'LineString') return { type, coordinates: positions };
  return { type, coordinates: Array.from(ends, (end, i) => positions.slice(i === 0 ? 0 : ends[i - 1]!, end)) };
}
