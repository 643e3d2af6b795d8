import initGeosJs from 'geos-wasm';
import { geojsonToGeosGeom, geosGeomToGeojson } from 'geos-wasm/helpers';
import type { Geometry } from '../../datasets/geometry.ts';
import { metresBetween, metresToSegment } from './geodesic.ts';
import { toGeoJSON } from './geojson.ts';
import { area, polygonsOf } from './overlap.ts';

const geos = await initGeosJs({ noticeHandler: () => {}, errorHandler: () => {} });

/** Square metres (Karney) of what is left of a GEOS geometry. */
const squareMetres = (pointer: number): number =>
  polygonsOf(geosGeomToGeojson(pointer, geos) as GeoJSON.Geometry).reduce((sum, shape) => sum + area(shape), 0);

/**
 * Square metres of a mask that each polygon covers and none before it: by GEOS, each is cut out of what is left.
 * @returns one a polygon, and last what none covers.
 */
export function cutOut(mask: Geometry, polygons: readonly Geometry[]): number[] {
  const out: number[] = [];
  let left = geojsonToGeosGeom(toGeoJSON(mask), geos);
  for (const polygon of polygons) {
    const pointer = geojsonToGeosGeom(toGeoJSON(polygon), geos);
    const common = geos.GEOSIntersection(left, pointer);
    out.push(squareMetres(common));
    const rest = geos.GEOSDifference(left, pointer);
    for (const p of [left, pointer, common]) geos.GEOSGeom_destroy(p);
    left = rest;
  }
  out.push(squareMetres(left));
  geos.GEOSGeom_destroy(left);
  return out;
}

/** Segments of a geometry's lines or rings; a point is one of no length. */
function segments({ type, xy, ends }: Geometry): [number, number, number, number][] {
  if (type.endsWith('Point')) return [[xy[0]!, xy[1]!, xy[0]!, xy[1]!]];
  const out: [number, number, number, number][] = [];
  let start = 0;
  for (const end of ends) {
    for (let v = start; v < end - 1; v++) out.push([xy[2 * v]!, xy[2 * v + 1]!, xy[2 * v + 2]!, xy[2 * v + 3]!]);
    start = end;
  }
  return out;
}

/** Geodesic metres between two geometries that do not meet: every vertex of each against every segment of the other. */
export function metresApart(a: Geometry, b: Geometry): number {
  let least = Infinity;
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const)
    for (let i = 0; i < from.xy.length; i += 2)
      for (const [x1, y1, x2, y2] of segments(to)) {
        const [lng, lat] = [from.xy[i]!, from.xy[i + 1]!];
        const metres =
          x1 === x2 && y1 === y2 ? metresBetween(lng, lat, x1, y1) : metresToSegment(lng, lat, [x1, y1], [x2, y2], 8);
        least = Math.min(least, metres);
      }
  return least;
}
