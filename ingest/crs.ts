import { existsSync } from 'node:fs';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { type Box, boxOf, type Geometry } from '../datasets/geometry.ts';
import type { FormatOptions } from '../datasets/place/place.ts';
import { askProj } from './gdal.ts';
import type { CrsAnswer, CrsDescription } from './gdal-job.ts';
import { ReadError, type Row } from './reader.ts';

const LNG_LAT = 'EPSG:4326';
const GRIDS_KEY = 'plat.projGrids';

/** Sets the folder of datum grids for this thread, and for threads that it starts later. Empty: there is none. */
export function setProjGrids(folder: string): void {
  setEnvironmentData(GRIDS_KEY, folder);
}

/**
 * Returns the CRS of a file: the stated one, else that of the options; with `overrideCrs` the options win. Null if none is known.
 * @param stated WKT, PROJJSON text, a code or a proj string; null when the file is silent.
 */
export function statedCrs(stated: string | null, options: FormatOptions): string | null {
  if (options.overrideCrs && options.crs) return options.crs;
  return stated ?? options.crs ?? null;
}

/**
 * Usual spellings of degrees that are lng,lat WGS 84 unchanged, so that most files need no PROJ. PROJ finds it out of others.
 * Like PROJ, Plat treats NAD83 as equal to WGS 84. The long ones are what ArcGIS writes into a .prj.
 */
const UNCHANGED = new Set([
  ...['OGC:CRS84', 'OGC:CRS83', 'EPSG:4326', 'EPSG:4269', 'CRS84', 'WGS84'],
  'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
]);

/** Codes from here on are ESRI's, where only a number is given. */
const FIRST_OF_ESRI = 37_000;

/**
 * Returns the normal spelling of a CRS: `urn:ogc:def:crs:EPSG::2264`, `http://…/EPSG/0/2264` and `2264` become `EPSG:2264`. Of one
 * with heights (`EPSG:2264+5703`, `urn:ogc:def:crs,crs:EPSG::2264,crs:EPSG::5703`) it is the part of the plane.
 */
export function normalCrs(crs: string): string {
  const text = crs.trim();
  const match =
    /^urn:ogc:def:crs:(\w+):[\w.]*:(\w+)$/i.exec(text) ??
    /^urn:ogc:def:crs,crs:(\w+):[\w.]*:(\w+),crs:[\w:.]+$/i.exec(text) ??
    /^(EPSG):(\d+)\+\d+$/i.exec(text) ??
    /^https?:\/\/www\.opengis\.net\/def\/crs\/(\w+)\/[\w.]+\/(\w+)$/i.exec(text) ??
    /^(EPSG|ESRI|OGC):(\w+)$/i.exec(text);
  if (match) return `${match[1]!.toUpperCase()}:${match[2]!.toUpperCase()}`;
  if (/^\d{4,6}$/.test(text)) return `${Number(text) < FIRST_OF_ESRI ? 'EPSG' : 'ESRI'}:${text}`;
  return text;
}

/**
 * Spellings of a statement, first as it is. ESRI takes the number that EPSG gives a system, and PROJ lists such a system under
 * EPSG; others write a number of ESRI, such as 102100, as if it were one of EPSG.
 */
const spellingsOf = (stated: string) => {
  const [, authority, code] = /^(EPSG|ESRI):(\d+)$/.exec(stated) ?? [];
  return authority ? [stated, `${authority === 'EPSG' ? 'ESRI' : 'EPSG'}:${code}`] : [stated];
};

/** What PROJ may be asked about: it would take any other text for the name of a file. */
const STATEMENT = /^(?:(?:EPSG|ESRI|OGC):\w+$|[A-Z_0-9]+\s*[[(]|\{|\+(?:proj|init)=)/i;
const NAMES = /^\w+\["((?:[^"]|"")*)"/;
const ELLIPSOID = /ELLIPSOID\["(?:[^"]|"")*",([\d.]+),([\d.]+)/;

/** Points of the country, of its outlying states and of its territories, lng,lat. */
const COUNTRY = Float64Array.of(
  ...[
    -123, 48, -117, 33, -105, 40, -98, 30, -90, 45, -81, 26, -75, 40, -68, 46, -135, 58, -150, 62, -165, 65, -157, 21,
  ],
  ...[-66, 18, -170.7, -14.3, 144.8, 13.4, 145.7, 15.2],
);

/**
 * Whether the figure of a CRS is that of NAD83 and WGS 84, perhaps raised to the ground of a county, or a sphere. Latitudes and
 * longitudes on it are then those of NAD83 to within two metres, whatever PROJ knows of its datum.
 */
function isModern({ wkt }: CrsDescription): boolean {
  const flattening = Number(ELLIPSOID.exec(wkt)?.[2] ?? NaN);
  return flattening === 0 || (flattening >= 298.2 && flattening < 298.29);
}

const shown = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** A coordinate reference system as PROJ understands it, and its way to lng,lat. */
export interface Crs {
  /** As PROJ calls it, or as it was stated. */
  readonly name: string;
  /** As it was stated, in a spelling that PROJ reads. */
  readonly stated: string;
  /** A proj string of its projection; null where it is degrees unchanged, or none can express it. */
  readonly definition: string | null;
  /**
   * Returns x,y pairs as lng,lat pairs; NaN beyond the projection. Pairs of degrees that need no change are the same array.
   * @throws ReadError crs_unknown when a datum grid is missing.
   */
  toLngLat(xy: Float64Array): Promise<Float64Array>;
}

const unchanged = (stated: string, name: string): Crs => ({
  name,
  stated,
  definition: null,
  toLngLat: async xy => xy,
});

/** The first spelling of a statement that PROJ can read, and what it describes; null where it can read none. */
async function described(stated: string): Promise<(CrsDescription & { readonly spelling: string }) | null> {
  if (!STATEMENT.test(stated)) return null;
  for (const spelling of spellingsOf(stated)) {
    const answer = await askProj({ describe: spelling });
    if ('description' in answer && answer.description) return { ...answer.description, spelling };
  }
  return null;
}

/** A definition on the same ellipsoid, with a datum that PROJ does not know. */
export const withoutDatum = (definition: string) =>
  definition
    .replace('+datum=NAD27', '+ellps=clrk66')
    .replace(/\+datum=\w+/, '+ellps=GRS80')
    .replace(/\+(?:towgs84|nadgrids)=\S+/, '');

const STRICT = { PROJ_ONLY_BEST_DEFAULT: 'YES' };
const SAME_DEGREES = 1e-9;

/**
 * Transforms pairs on an older datum: by the grids of the operator (pairs beyond them become NaN), else by the best
 * transformation that PROJ knows if that needs no grid.
 */
async function fromOlderDatum({ wkt, definition }: CrsDescription, from: string, xy: Float64Array): Promise<CrsAnswer> {
  if (definition === null || wkt.startsWith('BOUNDCRS')) return { refusal: 'its shift to WGS 84 is approximate' };
  const question = { from, to: LNG_LAT, xy };
  const grids = (getEnvironmentData(GRIDS_KEY) as string | undefined) ?? '';
  if (grids !== '') {
    if (!existsSync(grids)) return { refusal: `the folder of PLAT_PROJ_GRIDS, ${grids}, is missing` };
    const [shifted, rough] = [await askProj(question, { grids }), await askProj(question)];
    if ('xy' in shifted && 'xy' in rough) {
      const moved = shifted.xy.map((value, i) => {
        const first = i - (i % 2);
        const by = [0, 1].map(axis => Math.abs(shifted.xy[first + axis]! - rough.xy[first + axis]!));
        return by.some(degrees => degrees > SAME_DEGREES) ? value : NaN;
      });
      if (!moved.every(Number.isNaN)) return { xy: moved };
    }
  }
  const best = await askProj(question, STRICT);
  if (!('xy' in best)) return best;
  if (best.xy.every(Number.isNaN)) {
    // Places of the system to which a shift is lacking are told from those beyond it.
    const rough = await askProj(question);
    if ('xy' in rough && !rough.xy.every(Number.isNaN))
      return { refusal: 'PROJ gave neither coordinates nor a reason' };
  }
  // Where it knows no shift, PROJ changes no degrees, as if the datum were unknown.
  const plain = await askProj({ ...question, from: withoutDatum(definition) });
  const same = 'xy' in plain && plain.xy.some((value, i) => Math.abs(value - best.xy[i]!) < SAME_DEGREES);
  return same ? { refusal: 'PROJ knows no shift from its datum to WGS 84 there' } : best;
}

/**
 * Resolves a CRS, which PROJ does. Axes are easting, northing (or lng, lat) whatever the authority's order, as GIS files store
 * them.
 * @param crs a code of EPSG, ESRI or OGC, WKT of any kind, PROJJSON text, OGC URN or a proj string. @param file named in errors.
 * @throws ReadError crs_missing when `crs` is null, crs_unknown when PROJ cannot read it or knows no way to WGS 84.
 */
export async function resolveCrs(crs: string | null, file: string): Promise<Crs> {
  if (crs === null)
    throw new ReadError(
      'crs_missing',
      file,
      null,
      'the file does not say in which CRS its coordinates are; set options.crs to EPSG:n or WKT',
    );
  const normal = normalCrs(crs);
  if (UNCHANGED.has(normal)) return unchanged(normal, normal);
  const unknown = (why: string) => new ReadError('crs_unknown', file, null, why);
  const description = await described(normal);
  if (!description)
    throw unknown(
      `cannot read the CRS "${shown(normal)}"; set options.crs to EPSG:n, ESRI:n, WKT, PROJJSON or a proj string, and options.overrideCrs to true where the file states it`,
    );
  const stated = description.spelling;
  const name = NAMES.exec(description.wkt)?.[1]?.replaceAll('""', '"') ?? shown(stated);
  const cannot = (why: string) =>
    unknown(`coordinates in ${name} cannot be brought to WGS 84: ${why}; publish in NAD83 or WGS 84 (ogr2ogr -t_srs)`);
  if (!/^(?:PROJCRS|GEOGCRS|COMPOUNDCRS|BOUNDCRS)\[/.test(description.wkt))
    throw unknown(
      `coordinates in ${name} cannot be brought to WGS 84: it is no system of maps; set options.crs to the one that they are in, and options.overrideCrs to true`,
    );
  const modern = isModern(description);
  const toLngLat = async (xy: Float64Array) => {
    if (xy.length === 0) return xy;
    const moved = modern
      ? await askProj({ from: stated, to: LNG_LAT, xy })
      : await fromOlderDatum(description, stated, xy);
    if ('xy' in moved) return moved.xy;
    const grid = /Grid ([\w.]+) is not available/.exec('refusal' in moved ? moved.refusal : '')?.[1];
    throw cannot(
      grid
        ? `its datum needs a shift grid, such as ${grid}, in the folder of PLAT_PROJ_GRIDS`
        : 'refusal' in moved
          ? moved.refusal
          : 'PROJ gave no answer',
    );
  };
  if (modern && description.wkt.startsWith('GEOGCRS')) {
    const moved = await toLngLat(COUNTRY);
    if (moved.every((value, i) => value === COUNTRY[i])) return unchanged(stated, name);
  }
  return { name, stated, definition: description.definition, toLngLat };
}

const withCoordinates = ({ type, ends, parts }: Geometry, xy: Float64Array): Geometry => ({ type, xy, ends, parts });

/**
 * Returns geometries in lng,lat; those of a CRS that needs no change are the same objects. Coordinates beyond the projection are
 * NaN, which boxOf leaves out and an area does not survive. @throws as Crs.toLngLat.
 */
export async function projectGeometries(crs: Crs, geometries: readonly Geometry[]): Promise<Geometry[]> {
  const all = new Float64Array(geometries.reduce((sum, { xy }) => sum + xy.length, 0));
  let start = 0;
  for (const { xy } of geometries) {
    all.set(xy, start);
    start += xy.length;
  }
  const moved = await crs.toLngLat(all);
  if (moved === all) return [...geometries];
  let end = 0;
  return geometries.map(geometry => {
    end += geometry.xy.length;
    return withCoordinates(geometry, moved.slice(end - geometry.xy.length, end));
  });
}

/** Why a geometry cannot be read that the transformation lost, in part or whole; null where it lost nothing. */
function beyond({ name }: Crs, before: Geometry, after: Geometry): string | null {
  const at = after.xy.findIndex(value => !Number.isFinite(value));
  if (at < 0 || after === before) return null;
  const [x, y] = [before.xy[at - (at % 2)], before.xy[at - (at % 2) + 1]];
  return `coordinate ${x} ${y} lies beyond ${name}: it has no longitude and latitude there`;
}

/**
 * Returns rows with their geometries in lng,lat, also where only the ground of an unread one is known. A row with a coordinate
 * that the transformation loses has no geometry and says which. @throws as above.
 */
export async function projectRows(crs: Crs, rows: readonly Row[]): Promise<Row[]> {
  const geometries = rows.flatMap(({ geometry, unread }) => [geometry, unread?.ground ?? null]);
  const moved = await projectGeometries(
    crs,
    geometries.filter(geometry => geometry !== null),
  );
  let next = 0;
  const projected = geometries.map(geometry => geometry && moved[next++]!);
  return rows.map((row, i) => {
    const [geometry, ground] = [projected[i * 2]!, projected[i * 2 + 1]!];
    const lost = geometry && row.geometry && beyond(crs, row.geometry, geometry);
    if (lost) return { ...row, geometry: null, unread: { reason: lost, ground: null } };
    if (!row.unread) return { ...row, geometry };
    const isWhole = ground?.xy.every(Number.isFinite) ?? false;
    return { ...row, geometry, unread: { ...row.unread, ground: isWhole ? ground : null } };
  });
}

/** Points of each edge of a box: straight edges in degrees are curves in a projection. */
const EDGE_POINTS = 32;

/** The box in a CRS around a box in degrees. @throws ReadError crs_unknown where PROJ knows no way there. */
export async function boxIn({ stated, name }: Crs, [west, south, east, north]: Box, file: string): Promise<Box> {
  const points = Array.from({ length: EDGE_POINTS + 1 }, (_, i) => i / EDGE_POINTS).flatMap(share => {
    const [x, y] = [west + (east - west) * share, south + (north - south) * share];
    return [x, south, x, north, west, y, east, y];
  });
  const answer = await askProj({ from: LNG_LAT, to: stated, xy: Float64Array.from(points) });
  if (!('xy' in answer) || answer.xy.some(Number.isNaN))
    throw new ReadError('crs_unknown', file, null, `the ground cannot be brought to ${name}`);
  return boxOf({
    type: 'MultiPoint',
    xy: answer.xy,
    ends: Uint32Array.of(answer.xy.length / 2),
    parts: new Uint32Array(),
  });
}
