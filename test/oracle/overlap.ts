import initGeosJs from 'geos-wasm';
import { geojsonToGeosGeom, geosGeomToGeojson } from 'geos-wasm/helpers';
import { boxOf, type Geometry } from '../../datasets/geometry.ts';
import { pointAt, squareMetres } from './geodesic.ts';
import { fromGeoJSON, type Polygonal, toGeoJSON } from './geojson.ts';

const geos = await initGeosJs({
  noticeHandler: () => {},
  errorHandler: message => {
    throw new Error(`GEOS: ${message}`);
  },
});

/** A geodesic disc as a ring of very many places at exactly the radius; longitudes go on beyond ±180. */
export function disc(lng: number, lat: number, metres: number, vertices = 3600): Polygonal {
  const ring = Array.from({ length: vertices }, (_, i) => {
    const [x, y] = pointAt(lng, lat, (i * 360) / vertices, metres);
    return [x - lng > 180 ? x - 360 : x - lng < -180 ? x + 360 : x, y];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] };
}

/** Karney's area with every edge cut into short straight lng,lat pieces, because his edges are geodesics. */
export function area(shape: Polygonal, degrees = 0.001): number {
  const rings = (polygon: number[][][]) =>
    polygon.map(ring =>
      ring.slice(1).flatMap(([x2, y2], i) => {
        const [x1, y1] = ring[i]! as [number, number];
        const pieces = Math.max(1, Math.ceil(Math.hypot(x2! - x1, y2! - y1) / degrees));
        return Array.from({ length: pieces }, (_, p) => [
          x1 + ((p + 1) / pieces) * (x2! - x1),
          y1 + ((p + 1) / pieces) * (y2! - y1),
        ]);
      }),
    );
  return shape.type === 'Polygon'
    ? squareMetres({ type: 'Polygon', coordinates: rings(shape.coordinates) })
    : squareMetres({ type: 'MultiPolygon', coordinates: shape.coordinates.map(rings) });
}

export const polygonsOf = (shape: GeoJSON.Geometry): Polygonal[] =>
  shape.type === 'GeometryCollection'
    ? shape.geometries.flatMap(polygonsOf)
    : shape.type === 'Polygon' || shape.type === 'MultiPolygon'
      ? [shape]
      : [];

/**
 * Share of an area that polygons cover together: GEOS makes their union and intersects it with the area; both areas
 * are Karney's.
 * @param degrees longest piece of an edge whose area is taken as if it were a geodesic.
 */
export function coveredShare(mask: Polygonal, polygons: readonly Geometry[], degrees = 0.001): number {
  const area0 = area(mask, degrees);
  const [minX, minY, maxX, maxY] = boxOf(fromGeoJSON(mask));
  const near = polygons.filter(p => {
    const box = boxOf(p);
    return box[0] <= maxX && box[1] <= maxY && box[2] >= minX && box[3] >= minY;
  });
  let pointers = near.map(p => geojsonToGeosGeom(toGeoJSON(p), geos));
  if (!pointers.length) return 0;
  // Two by two, so that large unions are few.
  while (pointers.length > 1)
    pointers = Array.from({ length: Math.ceil(pointers.length / 2) }, (_, i) => {
      const [a, b] = [pointers[2 * i]!, pointers[2 * i + 1]];
      if (b === undefined) return a;
      const both = geos.GEOSUnion(a, b);
      geos.GEOSGeom_destroy(a);
      geos.GEOSGeom_destroy(b);
      return both;
    });
  const union = pointers[0]!;
  const pointer = geojsonToGeosGeom(mask, geos);
  const common = geos.GEOSIntersection(union, pointer);
  const shapes = polygonsOf(geosGeomToGeojson(common, geos) as GeoJSON.Geometry);
  for (const p of [union, pointer, common]) geos.GEOSGeom_destroy(p);
  return shapes.reduce((sum, s) => sum + area(s, degrees), 0) / area0;
}
