import { polygonOfRings } from '../rings.ts';
import { type Curve, type Position, verticesOf } from './curve.ts';

type Vertex = Position | Curve;

/** A spatial reference of Esri JSON: a code, or WKT of Esri. */
export interface SpatialReference {
  readonly wkid?: number;
  readonly latestWkid?: number;
  readonly wkt?: string;
  readonly wkt2?: string;
}

/** The CRS of coordinates as a place file says it: `EPSG:n`, `ESRI:n` or WKT. Codes of EPSG end at 32767. */
export function crsOf({ wkid, latestWkid, wkt, wkt2 }: SpatialReference): string | null {
  const code = latestWkid ?? wkid;
  if (code !== undefined && code > 0) return code <= 32_767 ? `EPSG:${code}` : `ESRI:${code}`;
  return wkt2 || wkt || null;
}

/** A geometry of Esri JSON. Coordinates are in the layer's own system; Z and M come after x and y and are dropped. */
export interface EsriGeometry {
  readonly x?: number | string | null;
  readonly y?: number | string | null;
  readonly points?: readonly Position[];
  readonly paths?: readonly (readonly Position[])[];
  readonly curvePaths?: readonly (readonly Vertex[])[];
  readonly rings?: readonly (readonly Position[])[];
  readonly curveRings?: readonly (readonly Vertex[])[];
  readonly xmin?: number | string | null;
  readonly ymin?: number;
  readonly xmax?: number;
  readonly ymax?: number;
  /** Version 9.3 says it of each geometry. */
  readonly spatialReference?: SpatialReference;
}

/** Members that say nothing of where a geometry is. */
const OF_EMPTY = /^(?:spatialReference|hasZ|hasM)$/;

type GeoJson = { readonly type: string; readonly coordinates: readonly unknown[] };

/** A geometry has a form that is not known. */
export class EsriGeometryError extends Error {
  override readonly name = 'EsriGeometryError';
}

/** A vertex is no pair of numbers: it spoils its own row alone. */
export class SpoiltVertex extends EsriGeometryError {}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Some servers write coordinates as texts. */
const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value;

function positionOf(vertex: unknown): Position {
  const [x, y] = Array.isArray(vertex) ? vertex.map(numberOf) : [];
  if (isNumber(x) && isNumber(y)) return [x, y];
  const kind = vertex === null || Array.isArray(vertex) ? SpoiltVertex : EsriGeometryError;
  throw new kind(`a vertex is ${JSON.stringify(vertex)}, expected [x, y]`);
}

/** The vertices of a path or ring, its curves as straight pieces. */
function lineOf(vertices: readonly Vertex[] | null): Position[] {
  if (vertices === null) throw new SpoiltVertex('a ring or path is null');
  const out: Position[] = [];
  for (const vertex of vertices) {
    if (vertex === null || Array.isArray(vertex)) {
      out.push(positionOf(vertex));
      continue;
    }
    const from = out.at(-1);
    const xy = from && verticesOf(from, vertex as Curve);
    if (!xy)
      throw new EsriGeometryError(`a segment is ${JSON.stringify(vertex)}, expected [x, y] or a curve c, a or b`);
    for (let i = 0; i < xy.length; i += 2) out.push([xy[i]!, xy[i + 1]!]);
  }
  return out;
}

function linesOf(paths: readonly (readonly Vertex[])[]): GeoJson | null {
  const lines = paths.map(lineOf).filter(line => line.length > 0);
  if (lines.length === 0) return null;
  return lines.length === 1
    ? { type: 'LineString', coordinates: lines[0]! }
    : { type: 'MultiLineString', coordinates: lines };
}

/** Rings closed, then grouped by direction as those of a shapefile: clockwise ones are shells. What is no ring is left for the ingest to refuse by name. */
function polygonsOf(rings: readonly (readonly Vertex[])[]): GeoJson | null {
  const closed = rings
    .map(lineOf)
    .filter(ring => ring.length > 0)
    .map(ring => {
      const [first, last] = [ring[0]!, ring.at(-1)!];
      return ring.length > 1 && first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
    });
  if (closed.length === 0) return null;
  let vertices = 0;
  const sizes = Uint32Array.from(closed, ring => (vertices += ring.length));
  const { xy, ends, parts } = polygonOfRings(Float64Array.from(closed.flat(2)), sizes);
  const ring = (i: number): Position[] => {
    const out: Position[] = [];
    for (let v = i === 0 ? 0 : ends[i - 1]!; v < ends[i]!; v++) out.push([xy[2 * v]!, xy[2 * v + 1]!]);
    return out;
  };
  let first = 0;
  const polygons = Array.from(parts, end => {
    const own = Array.from({ length: end - first }, (_, i) => ring(first + i));
    first = end;
    return own;
  });
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons };
}

/**
 * The geometry of a row as GeoJSON in the same coordinates. @returns null where the row has none: null, an empty one, or a
 * point whose x is null or "NaN".
 * @throws EsriGeometryError for a form that is not known.
 */
export function geometryOf(geometry: EsriGeometry | null | undefined): GeoJson | null {
  if (geometry === null || geometry === undefined) return null;
  const { x, y, points, paths, curvePaths, rings, curveRings, xmin, ymin, xmax, ymax } = geometry;
  if (curveRings ?? rings) return polygonsOf((curveRings ?? rings)!);
  if (curvePaths ?? paths) return linesOf((curvePaths ?? paths)!);
  if (points) return points.length === 0 ? null : { type: 'MultiPoint', coordinates: points.map(positionOf) };
  const point = [x, y].map(numberOf);
  if (point.every(isNumber)) return { type: 'Point', coordinates: point };
  if ([x, y, xmin].some(value => value === null || value === 'NaN' || value === '')) return null;
  if (Object.entries(geometry).every(([name, value]) => value === null || OF_EMPTY.test(name))) return null;
  if (isNumber(xmin) && isNumber(ymin) && isNumber(xmax) && isNumber(ymax))
    return polygonsOf([
      [
        [xmin, ymin],
        [xmin, ymax],
        [xmax, ymax],
        [xmax, ymin],
      ],
    ]);
  throw new EsriGeometryError(`a geometry has ${Object.keys(geometry).join(', ')}, which is no form of Esri JSON`);
}
