import { createRequire } from 'node:module';
import proj4 from 'proj4';
import type { Geometry } from '../datasets/geometry.ts';
import type { FormatOptions } from '../datasets/place/place.ts';
import { ReadError } from './reader.ts';

const require = createRequire(import.meta.url);
const DEGREES = 180 / Math.PI;

/** WGS 84 ellipsoid: semi-major axis in metres, first eccentricity squared (EPSG:7030). GRS 80 differs by 3e-11. */
const WGS84_A = 6378137;
const WGS84_E2 = 0.006694379990141316;
const SAME_E2 = 5e-11;
/** Kinds of datum in proj4js: by grid, already WGS 84, none known. */
const GRID_SHIFT = 3;
const IS_WGS84 = 4;
const NO_DATUM = 5;

/** The members of proj4js's projection object that this file uses; the types of proj4js lack some of them. */
interface Projection {
  readonly projName: string;
  readonly datumCode?: string;
  readonly datum: {
    readonly datum_type: number;
    readonly a: number;
    readonly es: number;
  };
  readonly to_meter?: number;
  readonly from_greenwich?: number;
  forward(point: { x: number; y: number }): { x: number; y: number };
  inverse(point: { x: number; y: number }): { x: number; y: number };
}

/**
 * Returns the CRS of a file: the stated one, else that of the options; with `overrideCrs` the options win. Null if none is known.
 * @param stated WKT, PROJJSON text, `EPSG:n` or a proj string; null when the file is silent.
 */
export function statedCrs(stated: string | null, options: FormatOptions): string | null {
  if (options.overrideCrs && options.crs) return options.crs;
  return stated ?? options.crs ?? null;
}

/** Geographic CRSs whose coordinates are lng,lat WGS 84 unchanged. Like GDAL, Plat treats NAD83 as equal to WGS 84. */
const IDENTITY = new Set(['OGC:CRS84', 'OGC:CRS83', 'EPSG:4326', 'EPSG:4269', 'CRS84', 'WGS84']);

/** Returns the proj string of `EPSG:n`; reads only the one small file that holds it. @throws ReadError crs_unknown. */
function epsgDefinition(code: string, file: string): string {
  try {
    return (require(`epsg-index/s/${code}.json`) as { proj4: string }).proj4;
  } catch {
    throw new ReadError('crs_unknown', file, null, `EPSG:${code} is not in the EPSG index; give the CRS as WKT`);
  }
}

/** Returns the normal spelling of a CRS: `urn:ogc:def:crs:EPSG::2264` and `http://…/EPSG/0/2264` become `EPSG:2264`. */
export function normalCrs(crs: string): string {
  const text = crs.trim();
  const match =
    /^urn:ogc:def:crs:(\w+):[\w.]*:(\w+)$/i.exec(text) ??
    /^https?:\/\/www\.opengis\.net\/def\/crs\/(\w+)\/[\w.]+\/(\w+)$/i.exec(text) ??
    /^(EPSG|OGC):(\w+)$/i.exec(text);
  return match ? `${match[1]!.toUpperCase()}:${match[2]!.toUpperCase()}` : text;
}

function definitionOf(crs: string, file: string): Projection | null {
  const name = normalCrs(crs);
  if (IDENTITY.has(name)) return null;
  const code = /^EPSG:(\d{4,6})$/.exec(name)?.[1];
  let projection: Projection;
  try {
    const definition = code ? epsgDefinition(code, file) : name.startsWith('{') ? JSON.parse(name) : name;
    projection = new (proj4 as unknown as { Proj: new (definition: unknown) => Projection }).Proj(definition);
  } catch (error) {
    if (error instanceof ReadError) throw error;
    const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
    throw new ReadError(
      'crs_unknown',
      file,
      null,
      `cannot read the CRS "${shown}" (${(error as Error).message ?? error}); set options.crs to EPSG:n or WKT`,
    );
  }
  const { datum_type } = projection.datum;
  if (!isWgs84(projection) && (datum_type === GRID_SHIFT || datum_type === NO_DATUM))
    throw new ReadError(
      'crs_unknown',
      file,
      null,
      'the CRS has a datum that needs a shift grid, which is not carried here; publish in NAD83 or WGS 84',
    );
  if (projection.projName === 'longlat' && isWgs84(projection) && !projection.from_greenwich) return null;
  return projection;
}

/** Whether the geographic coordinates of a projection are WGS 84 unchanged. */
function isWgs84({ datum, datumCode }: Projection): boolean {
  // `+nadgrids=@null` of Web Mercator: it projects with a sphere, but its coordinates are on the ellipsoid.
  if (datumCode === 'none') return datum.a === WGS84_A;
  return (
    (datum.datum_type === IS_WGS84 || datum.datum_type === NO_DATUM) &&
    Math.abs(datum.a - WGS84_A) < 1e-3 &&
    Math.abs(datum.es - WGS84_E2) < SAME_E2
  );
}

function withCoordinates(geometry: Geometry, xy: Float64Array): Geometry {
  return { type: geometry.type, xy, ends: geometry.ends, parts: geometry.parts };
}

function required(crs: string | null, file: string): string {
  if (crs !== null) return crs;
  throw new ReadError(
    'crs_missing',
    file,
    null,
    'the file does not say in which CRS its coordinates are; set options.crs to EPSG:n or WKT',
  );
}

/**
 * Returns a function that projects geometries from a CRS to lng,lat WGS 84 degrees. Geographic WGS 84 and NAD83 stay unchanged.
 * Axes are easting, northing (or lng, lat) whatever the authority's order, as GIS files store them.
 * @param crs WKT (OGC or ESRI), PROJJSON text, `EPSG:n`, OGC URN or proj string. @param file named in errors.
 * @throws ReadError crs_missing when `crs` is null, crs_unknown when it cannot be read or needs a datum grid.
 */
export function projector(crs: string | null, file: string): (geometry: Geometry) => Geometry {
  const projection = definitionOf(required(crs, file), file);
  if (!projection) return geometry => geometry;
  if (!isWgs84(projection) || projection.projName === 'longlat') {
    const { forward } = proj4(projection as never, 'WGS84');
    return geometry => {
      const xy = new Float64Array(geometry.xy.length);
      for (let i = 0; i < xy.length; i += 2) {
        const x = geometry.xy[i]!;
        const y = geometry.xy[i + 1]!;
        // proj4js throws on such coordinates; they stay unchanged here, so that the range check reports them.
        const point = Number.isFinite(x) && Number.isFinite(y) ? forward({ x, y }) : { x: NaN, y: NaN };
        xy[i] = point.x;
        xy[i + 1] = point.y;
      }
      return withCoordinates(geometry, xy);
    };
  }
  const metres = projection.to_meter ?? 1;
  const greenwich = projection.from_greenwich ?? 0;
  const point = { x: 0, y: 0 };
  // Call the projection directly: the library's own path makes several objects for each vertex, for a datum step not needed here.
  return geometry => {
    const source = geometry.xy;
    const xy = new Float64Array(source.length);
    for (let i = 0; i < xy.length; i += 2) {
      point.x = source[i]! * metres;
      point.y = source[i + 1]! * metres;
      const lnglat = projection.inverse(point);
      xy[i] = lnglat ? (lnglat.x + greenwich) * DEGREES : NaN;
      xy[i + 1] = lnglat ? lnglat.y * DEGREES : NaN;
    }
    return withCoordinates(geometry, xy);
  };
}
