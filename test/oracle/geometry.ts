import initGeosJs from 'geos-wasm';
import { geojsonToGeosGeom, geosGeomToGeojson } from 'geos-wasm/helpers';
import type { Geometry } from '../../datasets/geometry.ts';
import { metresBetween, metresToSegment, squareMetres } from './geodesic.ts';
import { type Polygonal, type Shape, toGeoJSON } from './geojson.ts';

const geos = await initGeosJs({
  // Notices say why something is invalid; callers ask isValid() instead.
  noticeHandler: () => {},
  errorHandler: message => {
    throw new Error(`GEOS: ${message}`);
  },
});

function using<T>(shapes: Shape[], work: (...pointers: number[]) => T): T {
  const pointers = shapes.map(shape => geojsonToGeosGeom(shape, geos));
  try {
    return work(...pointers);
  } finally {
    for (const pointer of pointers) geos.GEOSGeom_destroy(pointer);
  }
}

/** Whether two geometries have a point in common, their boundaries included (GEOS, planar in lng,lat). */
export function intersects(a: Geometry, b: Geometry): boolean {
  return using([toGeoJSON(a), toGeoJSON(b)], (p, q) => geos.GEOSIntersects(p!, q!) === 1);
}

/** Whether no point of `inner` lies outside `outer`; shared boundaries are allowed (GEOS, planar in lng,lat). */
export function coveredBy(inner: Geometry, outer: Geometry): boolean {
  return using([toGeoJSON(inner), toGeoJSON(outer)], (p, q) => geos.GEOSCoveredBy(p!, q!) === 1);
}

/** Whether a polygon holds a lng,lat point, boundary included; a point on 180 lies on -180 too. */
export function contains(polygon: Geometry, lng: number, lat: number): boolean {
  if (polygon.parts.length === 0) return false;
  const images = Math.abs(lng) === 180 ? [180, -180] : [lng];
  return images.some(x =>
    using([toGeoJSON(polygon), { type: 'Point', coordinates: [x, lat] }], (p, q) => geos.GEOSIntersects(p!, q!) === 1),
  );
}

/** Whether GEOS calls a geometry valid. */
export function isValid(geometry: Geometry): boolean {
  return using([toGeoJSON(geometry)], p => geos.GEOSisValid(p!) === 1);
}

/** Geodesic square metres that two polygons have in common. */
export function overlapArea(a: Geometry, b: Geometry): number {
  return using([toGeoJSON(a), toGeoJSON(b)], (p, q) => {
    const common = geos.GEOSIntersection(p!, q!);
    try {
      return polygonsOf(geosGeomToGeojson(common, geos) as GeoJSON.Geometry).reduce(
        (sum, s) => sum + squareMetres(s),
        0,
      );
    } finally {
      geos.GEOSGeom_destroy(common);
    }
  });
}

function polygonsOf(shape: GeoJSON.Geometry): Polygonal[] {
  if (shape.type === 'GeometryCollection') return shape.geometries.flatMap(polygonsOf);
  return shape.type === 'Polygon' || shape.type === 'MultiPolygon' ? [shape] : [];
}

/** Geodesic square metres of a polygon or multipolygon. */
export function area(geometry: Geometry): number {
  return polygonsOf(toGeoJSON(geometry)).reduce((sum, shape) => sum + squareMetres(shape), 0);
}

/** Lines and rings of a geometry as lists of lng,lat. */
function linesOf(shape: Shape): number[][][] {
  switch (shape.type) {
    case 'LineString':
      return [shape.coordinates];
    case 'MultiLineString':
    case 'Polygon':
      return shape.coordinates;
    case 'MultiPolygon':
      return shape.coordinates.flat();
    default:
      return [];
  }
}

/**
 * Metres from a point to the nearest edge or point of a geometry, whatever the point lies in: every segment, one by one.
 * @param spots places tried on each segment before the golden section.
 */
export function metresToEdge(geometry: Geometry, lng: number, lat: number, spots = 24): number {
  const shape = toGeoJSON(geometry);
  let least = Infinity;
  if (shape.type === 'Point') least = metresBetween(lng, lat, shape.coordinates[0]!, shape.coordinates[1]!);
  if (shape.type === 'MultiPoint')
    for (const [x, y] of shape.coordinates) least = Math.min(least, metresBetween(lng, lat, x!, y!));
  for (const line of linesOf(shape))
    for (let i = 0; i < Math.max(1, line.length - 1); i++)
      least = Math.min(least, metresToSegment(lng, lat, line[i]!, line[i + 1] ?? line[i]!, spots));
  return least;
}

/** Metres from a point to a geometry: 0 in or on a polygon. */
export function metresTo(geometry: Geometry, lng: number, lat: number, spots = 24): number {
  return contains(geometry, lng, lat) ? 0 : metresToEdge(geometry, lng, lat, spots);
}
