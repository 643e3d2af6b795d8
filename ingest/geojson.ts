import type { Value } from '../datasets/dataset.ts';
import type { Geometry } from '../datasets/geometry.ts';
import { ReadError, type Row } from './reader.ts';
import { jsonText, plainValue } from './text/json-numbers.ts';
import { collected, readable, UnreadGeometry } from './unread.ts';

const EMPTY = new Uint32Array(0);
/** Greatest depth of collections within collections. */
const DEEPEST = 8;
/** Levels of arrays around one position, by geometry type. */
const NESTING: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/**
 * Converts a GeoJSON geometry object (RFC 7946) to flat arrays. Z and further numbers are dropped; x,y stay unchanged.
 * @param file @param row named in errors.
 * @returns null for null and for a geometry without positions.
 * @throws UnreadGeometry when the value is not a geometry, or a GeometryCollection of several kinds.
 */
export function fromGeoJSON(value: unknown, file = 'GeoJSON', row: number | null = null): Geometry | null {
  const fail = (what: string) => new UnreadGeometry(file, row, what);
  return isCollection(value) ? collected([...members(value, 1, fail)], file, row) : single(value, fail);
}

const isCollection = (value: unknown): value is { readonly geometries?: unknown } =>
  (value as { type?: unknown } | null | undefined)?.type === 'GeometryCollection';

/** Yields the geometries of a collection, and of the collections inside it. */
function* members(
  { geometries }: { readonly geometries?: unknown },
  depth: number,
  fail: (what: string) => ReadError,
): Generator<Geometry> {
  if (depth > DEEPEST) throw fail(`has collections in collections more than ${DEEPEST} deep`);
  if (!Array.isArray(geometries)) throw fail('a GeometryCollection has no list of geometries');
  for (const one of geometries)
    if (isCollection(one)) yield* members(one, depth + 1, fail);
    else {
      const geometry = single(one, fail);
      if (geometry) yield geometry;
    }
}

/** Converts a geometry that is not a collection. */
function single(value: unknown, fail: (what: string) => ReadError): Geometry | null {
  if (value === null || value === undefined) return null;
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown };
  const nesting = typeof type === 'string' ? NESTING[type] : undefined;
  if (nesting === undefined) throw fail(`"${String(type)}" is no GeoJSON geometry type`);
  if (!Array.isArray(coordinates)) throw fail(`the ${type} has no array of coordinates`);

  let count = 0;
  const measure = (list: unknown, depth: number): void => {
    if (!Array.isArray(list)) throw fail(`the coordinates of the ${type} are not nested ${nesting} deep`);
    if (depth === 1) count += list.length;
    else for (const item of list) measure(item, depth - 1);
  };
  if (nesting === 0) count = coordinates.length === 0 ? 0 : 1;
  else measure(coordinates, nesting);
  if (count === 0) return null;

  const xy = new Float64Array(2 * count);
  const ends: number[] = [];
  const parts: number[] = [];
  let at = 0;
  const position = (p: unknown): void => {
    const [x, y] = Array.isArray(p) ? p : [];
    if (!isNumber(x) || !isNumber(y))
      throw fail(`a position of the ${type} is ${jsonText(p)?.slice(0, 60)}; two numbers were expected`);
    xy[at++] = Number(x);
    xy[at++] = Number(y);
  };
  const line = (list: unknown[]): void => {
    for (const p of list) position(p);
    ends.push(at / 2);
  };
  if (nesting === 0) line([coordinates]);
  else if (nesting === 1) line(coordinates);
  else if (nesting === 2) for (const list of coordinates) line(list as unknown[]);
  else
    for (const polygon of coordinates as unknown[][]) {
      for (const ring of polygon) line(ring as unknown[]);
      parts.push(ends.length);
    }
  if (type === 'Polygon') parts.push(ends.length);
  return {
    type: type as Geometry['type'],
    xy,
    ends: Uint32Array.from(ends),
    parts: parts.length ? Uint32Array.from(parts) : EMPTY,
  };
}

const isNumber = (value: unknown): value is number | bigint => Number.isFinite(value) || typeof value === 'bigint';

interface Feature {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly properties?: Record<string, unknown> | null;
  readonly geometry?: unknown;
}

/**
 * Returns a GeoJSON Feature as a row. Nested property values become JSON text, whole numbers beyond
 * 2^53 their digits. The feature's id becomes the property `id` if
 * there is none. @param number 1-based position in the file. @param path named in errors.
 * @throws ReadError file_corrupt when the value is not a Feature. A geometry that is none loses its row alone.
 */
export function featureRow(value: unknown, number: number, path: string): Row {
  const feature = value as Feature | null;
  if (typeof feature !== 'object' || feature === null || Array.isArray(feature))
    throw new ReadError('file_corrupt', path, number, `is ${jsonText(value)?.slice(0, 40)}, not a Feature`);
  if (feature.type !== 'Feature')
    throw new ReadError('file_corrupt', path, number, `has type ${jsonText(feature.type)}; "Feature" was expected`);
  const properties: Record<string, Value> = {};
  for (const [key, property] of Object.entries(feature.properties ?? {})) properties[key] = plainValue(property);
  if (feature.id !== undefined && !('id' in properties)) properties.id = plainValue(feature.id);
  return { number, properties, ...readable(() => fromGeoJSON(feature.geometry, path, number)) };
}
