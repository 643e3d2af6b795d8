import { type FileGround, FileProblem, NO_GROUND, type Position, together } from './ground.ts';

interface GeoJson {
  readonly type?: unknown;
  readonly coordinates?: unknown;
  readonly geometry?: unknown;
  readonly geometries?: unknown;
  readonly features?: unknown;
  readonly properties?: Readonly<Record<string, unknown>> | null;
  readonly crs?: { readonly properties?: { readonly name?: unknown } } | null;
}

/** What people call a feature by. */
const NAMES = /^(?:name|title|label|id|gid|objectid|parcel|apn|address)$/i;

/** What a feature is called by its properties; null where none of them names it. */
export function nameIn(properties: Readonly<Record<string, unknown>> | null | undefined): string | null {
  const named = Object.entries(properties ?? {}).filter(
    ([key, value]) => NAMES.test(key) && value !== null && value !== '',
  );
  const [best] = named.toSorted(([a], [b]) => Number(/^name$/i.test(b)) - Number(/^name$/i.test(a)));
  return best ? String(best[1]) : null;
}

/** Longitude and latitude alone: a height is left out. */
const position = (value: unknown): Position => {
  const [lng, lat] = Array.isArray(value) ? (value as unknown[]) : [];
  if (typeof lng !== 'number' || typeof lat !== 'number')
    throw new FileProblem('It has coordinates that are no numbers.');
  return [lng, lat];
};
const list = <T>(value: unknown, each: (one: unknown) => T): T[] => {
  if (!Array.isArray(value)) throw new FileProblem('It has coordinates that are no numbers.');
  return value.map(each);
};
const path = (value: unknown) => list(value, position);
const rings = (value: unknown) => list(value, path);

/** What a GeoJSON geometry holds. @param name what its areas are called. @throws FileProblem. */
export function groundOfGeometry({ type, coordinates, geometries }: GeoJson, name: string): FileGround {
  const area = (one: unknown) => ({ name, rings: rings(one) });
  switch (type) {
    case 'Point':
      return { ...NO_GROUND, points: [position(coordinates)] };
    case 'MultiPoint':
      return { ...NO_GROUND, points: path(coordinates) };
    case 'LineString':
      return { ...NO_GROUND, lines: [path(coordinates)] };
    case 'MultiLineString':
      return { ...NO_GROUND, lines: rings(coordinates) };
    case 'Polygon':
      return { ...NO_GROUND, areas: [area(coordinates)] };
    case 'MultiPolygon':
      return { ...NO_GROUND, areas: list(coordinates, area) };
    case 'GeometryCollection':
      return together(list(geometries, one => groundOfGeometry(one as GeoJson, name)));
    default:
      throw new FileProblem('It is no GeoJSON: expected features, or a geometry of them.');
  }
}

/** What features hold. @throws FileProblem. */
export const groundOfFeatures = (features: unknown): FileGround =>
  together(
    list(features, one => one as GeoJson).map(({ geometry, properties }, i) =>
      geometry
        ? groundOfGeometry(geometry as GeoJson, nameIn(properties) ?? `Area ${i + 1}`)
        : { ...NO_GROUND, without: 1 },
    ),
  );

/** Longitude and latitude as GeoJSON files of the time before the standard name them. */
const DEGREES = /(?:CRS84|EPSG:{1,2}(?:4326|4269))$/i;

/** What a GeoJSON file holds. @throws FileProblem. */
export function groundOfGeoJson(text: string): FileGround {
  let value: GeoJson;
  try {
    value = JSON.parse(text) as GeoJson;
  } catch {
    throw new FileProblem('It is no JSON: a bracket or a comma is missing, or it was cut off.');
  }
  const crs = value?.crs?.properties?.name;
  if (typeof crs === 'string' && !DEGREES.test(crs))
    throw new FileProblem(`Its coordinates are in ${crs}. Save it in WGS 84 (EPSG:4326).`);
  const features = value?.type === 'FeatureCollection' ? value.features : value?.type === 'Feature' ? [value] : null;
  return features === null ? groundOfGeometry(value ?? {}, 'Area') : groundOfFeatures(features);
}
