/** The six OGC simple-feature types that Plat stores. A GeometryCollection of a single kind is read as one of them. */
export const GEOMETRY_TYPES = [
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
] as const;
export type GeometryType = (typeof GEOMETRY_TYPES)[number];

/**
 * One geometry in flat arrays, so that it crosses threads and files without objects per vertex.
 * Coordinates are x,y pairs (lng,lat in WGS84 degrees once projected); Z and M are dropped at the reader.
 */
export interface Geometry {
  readonly type: GeometryType;
  /** x0,y0,x1,y1,… of every vertex; polygon rings repeat their first vertex at the end. */
  readonly xy: Float64Array;
  /** Exclusive end of each line or ring, in vertices. One entry (all vertices) for point types. */
  readonly ends: Uint32Array;
  /** Exclusive end of each polygon, in rings (its first ring is the shell). Empty for points and lines. */
  readonly parts: Uint32Array;
}

/** minX, minY, maxX, maxY in the units of the coordinates. */
export type Box = readonly [number, number, number, number];

/**
 * The axis-aligned box of a geometry in its own coordinates.
 * @returns minX, minY, maxX, maxY; infinities (an empty box) when there is no vertex.
 */
export function boxOf(geometry: Geometry): Box {
  const { xy } = geometry;
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let i = 0; i < xy.length; i += 2) {
    const x = xy[i]!;
    const y = xy[i + 1]!;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return [minX, minY, maxX, maxY];
}

/** The box around two boxes; null is the empty box. */
export function union(a: Box | null, b: Box): Box;
export function union(a: Box | null, b: Box | null): Box | null;
export function union(a: Box | null, b: Box | null): Box | null {
  return a && b ? [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])] : (a ?? b);
}

/** Whether two boxes have a place in common; edges count. */
export const boxesMeet = (a: Box, b: Box): boolean => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
