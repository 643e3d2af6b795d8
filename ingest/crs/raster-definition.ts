import proj4, { type Converter } from 'proj4';
import type { Box } from '../../datasets/geometry.ts';
import { LNGLAT } from '../../query/format/cog.ts';
import { type Crs, withoutDatum } from '../crs.ts';
import { ReadError } from '../reader.ts';

const RADIANS = Math.PI / 180;
/** Metres by which the projection that servers run may differ from PROJ. */
const TOLERANCE = 0.01;
const METRES_PER_DEGREE = 111_320;
/** Of each side of a box: 25 points in all. */
const SHARES = [0, 0.25, 0.5, 0.75, 1];
const WGS84 = { a: 6378137, es: 0.006694379990141316 };

type Position = readonly [lng: number, lat: number];

/** Distance in metres between two places that are near each other. */
const metresBetween = ([lng1, lat1]: Position, [lng2, lat2]: Position) =>
  METRES_PER_DEGREE * Math.hypot((lng1 - lng2) * Math.cos(lat2 * RADIANS), lat1 - lat2);

/** Geocentric coordinates of a position on an ellipsoid. */
function geocentric([lng, lat]: Position, { a, es }: { readonly a: number; readonly es: number }) {
  const [sine, cosine] = [Math.sin(lat * RADIANS), Math.cos(lat * RADIANS)];
  const normal = a / Math.sqrt(1 - es * sine * sine);
  return [
    normal * cosine * Math.cos(lng * RADIANS),
    normal * cosine * Math.sin(lng * RADIANS),
    normal * (1 - es) * sine,
  ];
}

/** The projection of a definition whose datum is moved so that points come where they belong, on average. */
function moved(definition: string, points: readonly Position[], belong: readonly Position[]): string | null {
  const plain = withoutDatum(definition);
  const source = new (proj4 as unknown as { Proj: new (text: string) => { a: number; es: number } }).Proj(plain);
  const { inverse } = proj4(plain);
  const sums = [0, 0, 0];
  points.forEach((point, i) => {
    const from = geocentric(inverse([...point]) as unknown as Position, source);
    const to = geocentric(belong[i]!, WGS84);
    for (const axis of [0, 1, 2]) sums[axis]! += (to[axis]! - from[axis]!) / points.length;
  });
  return sums.every(Number.isFinite) ? `${plain} +towgs84=${sums.map(sum => sum.toFixed(4)).join()}` : null;
}

function agrees(definition: string, points: readonly Position[], belong: readonly Position[]): boolean {
  let projection: Converter;
  try {
    projection = proj4(definition);
  } catch {
    return false;
  }
  return points.every((point, i) => {
    const place = projection.inverse([...point]) as unknown as Position;
    const back = projection.inverse(projection.forward([...belong[i]!])) as unknown as Position;
    return metresBetween(place, belong[i]!) <= TOLERANCE && metresBetween(back, belong[i]!) <= TOLERANCE;
  });
}

/**
 * Returns the proj string with which servers find places in a raster, or LNGLAT. proj4 agrees with PROJ on it within a centimetre at 25
 * points of the raster. Where it does not by the definition alone, because of a shift of the datum, the shift at the raster is
 * part of it.
 * @param box of the raster in its own CRS. @param file named in errors.
 * @throws ReadError crs_unknown when there is no such string, or as Crs.toLngLat.
 */
export async function rasterDefinition(crs: Crs, box: Box, file: string): Promise<string> {
  const [left, bottom, right, top] = box;
  const all = SHARES.flatMap(x => SHARES.map(y => [left + (right - left) * x, bottom + (top - bottom) * y] as const));
  const lngLat = await crs.toLngLat(Float64Array.from(all.flat()));
  if (crs.definition === null && lngLat.every((value, i) => value === all.flat()[i])) return LNGLAT;
  const belongs = all.map((_, i) => [lngLat[i * 2]!, lngLat[i * 2 + 1]!] as const);
  // Corners of a raster may lie beyond its projection, where it has no cells.
  const within = belongs.flatMap(([lng], i) => (Number.isNaN(lng) ? [] : [i]));
  const [points, belong] = [all, belongs].map(list => within.map(i => list[i]!)) as [Position[], Position[]];
  if (crs.definition !== null && points.length > 0) {
    if (agrees(crs.definition, points, belong)) return crs.definition;
    const shifted = moved(crs.definition, points, belong);
    if (shifted && agrees(shifted, points, belong)) return shifted;
  }
  throw new ReadError(
    'crs_unknown',
    file,
    null,
    `rasters in ${crs.name} are not read: servers cannot place their cells to a centimeter; warp it (gdalwarp -t_srs EPSG:4269)`,
  );
}
