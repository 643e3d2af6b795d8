import { GEOMETRY_TYPES, type Geometry, type GeometryType } from '../../datasets/geometry.ts';
import { type Budget, CqlError } from './expression.ts';

type Position = readonly [number, number];

/** The type of that name, however its letters are; null of a type that is not stored. */
export const typeNamed = (name: string): GeometryType | null =>
  GEOMETRY_TYPES.find(type => type.toLowerCase() === name.toLowerCase()) ?? null;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function positionOf(value: unknown, type: string): Position {
  if (isList(value) && value.length >= 2 && value.every(each => typeof each === 'number' && Number.isFinite(each)))
    return [value[0] as number, value[1] as number];
  throw new CqlError(`The ${type} of the filter has a position that is not two numbers: first x, then y.`);
}

/** A run of positions. @param least how many it must have. */
function runOf(value: unknown, type: string, least: number): Position[] {
  if (!isList(value) || value.length < least)
    throw new CqlError(`The ${type} of the filter has too few positions; expected at least ${least}.`);
  return value.map(each => positionOf(each, type));
}

/** A ring as it must be: closed, and of four positions at least. */
function ringOf(value: unknown, type: string): Position[] {
  const ring = runOf(value, type, 4);
  const [first, last] = [ring[0]!, ring.at(-1)!];
  if (first[0] !== last[0] || first[1] !== last[1])
    throw new CqlError(`The ${type} of the filter has a ring that does not end where it begins.`);
  return ring;
}

function listOf<T>(value: unknown, type: string, read: (each: unknown) => T): T[] {
  if (isList(value) && value.length > 0) return value.map(read);
  throw new CqlError(`The ${type} of the filter has no coordinates.`);
}

/**
 * A geometry of a filter from coordinates nested as GeoJSON nests them; heights are left out.
 * @param coordinates x,y in the reference system of the filter. @throws CqlError when they are none of that type.
 */
export function shapeOf(type: GeometryType, coordinates: unknown, budget: Budget): Geometry {
  const line = (value: unknown) => runOf(value, type, 2);
  const ring = (value: unknown) => ringOf(value, type);
  const polygon = (value: unknown) => listOf(value, type, ring);
  const polygons =
    type === 'Polygon' ? [polygon(coordinates)] : type === 'MultiPolygon' ? listOf(coordinates, type, polygon) : null;
  const runs =
    polygons?.flat() ??
    (type === 'Point'
      ? [[positionOf(coordinates, type)]]
      : type === 'MultiPoint'
        ? [runOf(coordinates, type, 1)]
        : type === 'LineString'
          ? [line(coordinates)]
          : listOf(coordinates, type, line));
  const xy = Float64Array.from(runs.flat(2));
  budget.vertices(xy.length / 2);
  const sums = (lengths: readonly number[]) => {
    let sum = 0;
    return Uint32Array.from(lengths, length => (sum += length));
  };
  const parts = polygons ? sums(polygons.map(rings => rings.length)) : new Uint32Array(0);
  return { type, xy, ends: sums(runs.map(run => run.length)), parts };
}

/**
 * A box as a polygon; one whose west lies east of its east crosses longitude 180 and becomes two. A box without width or height, as
 * the extent of one point is, becomes a line or a point.
 * @param numbers west, south, east, north; with heights six numbers.
 */
export function boxShape(numbers: readonly number[], budget: Budget): Geometry {
  const [west, south, east, north] =
    numbers.length === 6 ? [numbers[0]!, numbers[1]!, numbers[3]!, numbers[4]!] : (numbers as number[]);
  if ((numbers.length !== 4 && numbers.length !== 6) || !numbers.every(Number.isFinite) || south! > north!)
    throw new CqlError('A box of the filter needs four numbers: west, south, east, north, the south below the north.');
  const ring = (from: number, to: number) => [
    [from, south],
    [to, south],
    [to, north],
    [from, north],
    [from, south],
  ];
  if (west === east && south === north) return shapeOf('Point', [west, south], budget);
  if (west === east || south === north)
    return shapeOf(
      'LineString',
      [
        [west, south],
        [east, north],
      ],
      budget,
    );
  return west! <= east!
    ? shapeOf('Polygon', [ring(west!, east!)], budget)
    : shapeOf('MultiPolygon', [[ring(west!, 180)], [ring(-180, east!)]], budget);
}
