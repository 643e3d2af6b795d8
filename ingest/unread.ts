import type { Geometry, GeometryType } from '../datasets/geometry.ts';
import { ReadError, type Row } from './reader.ts';

/** A geometry of a kind that is not read. Its row is delivered without it, so that one feature does not stop the file. */
export class UnreadGeometry extends ReadError {
  /** Where the feature lies, as far as that could be read, in the source's own CRS. */
  readonly ground: Geometry | null;
  constructor(file: string, row: number | null, why: string, ground: Geometry | null = null) {
    super('geometry_unsupported', file, row, why);
    this.ground = ground;
  }
}

/** Returns the geometry that `read` returns; null and the reason if its kind is not read. @throws any other error of `read`. */
export function readable(read: () => Geometry | null): Pick<Row, 'geometry' | 'unread'> {
  try {
    return { geometry: read() };
  } catch (error) {
    if (!(error instanceof UnreadGeometry)) throw error;
    return { geometry: null, unread: { reason: error.why, ground: error.ground } };
  }
}

/** Returns a row of which nothing can be used, so that it alone is left out and not its file. */
export const lostRow = (number: number, reason: string): Row => ({
  number,
  properties: {},
  geometry: null,
  unread: { reason, ground: null, isLost: true },
});

/** Returns a row that passes a limit. @param limit that it passes. */
export const tooLarge = (number: number, limit: ReadError): Row => lostRow(number, limit.why);

const DIMENSION: Readonly<Record<GeometryType, 0 | 1 | 2>> = {
  Point: 0,
  MultiPoint: 0,
  LineString: 1,
  MultiLineString: 1,
  Polygon: 2,
  MultiPolygon: 2,
};
const MULTI = ['MultiPoint', 'MultiLineString', 'MultiPolygon'] as const;
const PLURAL = ['points', 'lines', 'polygons'] as const;

/** Joins geometries of one dimension into one. */
function merged(members: readonly Geometry[], type: GeometryType): Geometry {
  const xy = new Float64Array(members.reduce((sum, { xy }) => sum + xy.length, 0));
  const ends: number[] = [];
  const parts: number[] = [];
  let at = 0;
  for (const member of members) {
    const rings = ends.length;
    xy.set(member.xy, at);
    for (const end of member.ends) ends.push(at / 2 + end);
    for (const part of member.parts) parts.push(rings + part);
    at += member.xy.length;
  }
  const whole = type === 'MultiPoint' ? [xy.length / 2] : ends;
  return { type, xy, ends: Uint32Array.from(whole), parts: Uint32Array.from(parts) };
}

/**
 * Returns a GeometryCollection of one kind (points, lines or polygons) as one geometry; null if it is empty.
 * @throws UnreadGeometry when it mixes kinds, because its meaning is not known. Its ground is the geometry of the largest kind.
 */
export function collected(members: readonly Geometry[], file: string, row: number | null): Geometry | null {
  const held = members.filter(({ xy }) => xy.length > 0);
  if (held.length < 2) return held[0] ?? null;
  const kinds = [...new Set(held.map(({ type }) => DIMENSION[type]))].sort();
  const most = kinds.at(-1)!;
  const whole = merged(
    held.filter(({ type }) => DIMENSION[type] === most),
    MULTI[most],
  );
  if (kinds.length === 1) return whole;
  const named = kinds.map(kind => PLURAL[kind]).join(' and ');
  throw new UnreadGeometry(file, row, `a GeometryCollection of ${named} is not read; split it by type`, whole);
}
