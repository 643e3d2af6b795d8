import type { Box, Geometry } from '../../datasets/geometry.ts';
import type { Expression } from '../../query/cql/expression.ts';
import { fromMercator } from '../../query/features/web-mercator.ts';

/** Reference systems of coordinates that are answered and taken, by their addresses (OGC 18-058r1). */
export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
export const MERCATOR = 'http://www.opengis.net/def/crs/EPSG/0/3857';

/** A position as lng,lat. */
function degreesOf(x: number, y: number): readonly [number, number] {
  const { xy } = fromMercator({ type: 'Point', xy: Float64Array.of(x, y), ends: Uint32Array.of(1), parts: NONE });
  return [xy[0]!, xy[1]!];
}
const NONE = new Uint32Array(0);

/** A box in meters of EPSG:3857 as lng,lat. */
export const boxFromMercator = ([west, south, east, north]: Box): Box => [
  ...degreesOf(west, south),
  ...degreesOf(east, north),
];

/** A filter whose geometries are lng,lat, from one whose geometries are in meters of EPSG:3857. */
export function filterFromMercator(expression: Expression): Expression {
  const convert = (geometry: Geometry) => fromMercator(geometry);
  switch (expression.kind) {
    case 'relation':
      return { ...expression, geometry: convert(expression.geometry) };
    case 'not':
      return { ...expression, of: filterFromMercator(expression.of) };
    case 'and':
    case 'or':
      return { ...expression, all: expression.all.map(filterFromMercator) };
    default:
      return expression;
  }
}

/** True where a filter has a position beyond 180 degrees of longitude or 90 of latitude. */
export function isBeyondDegrees(expression: Expression): boolean {
  switch (expression.kind) {
    case 'relation':
      return expression.geometry.xy.some((degrees, i) => Math.abs(degrees) > (i % 2 === 0 ? 180 : 90));
    case 'not':
      return isBeyondDegrees(expression.of);
    case 'and':
    case 'or':
      return expression.all.some(isBeyondDegrees);
    default:
      return false;
  }
}
