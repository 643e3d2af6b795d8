import type { Geometry } from '../../datasets/geometry.ts';
import type { Point } from '../../query/evaluate/answer.ts';
import { MOST_ADVISED, namesText, nearestNames } from '../../query/format/name/nearest-names.ts';
import { Coordinates } from '../../query/search/page/coordinates.ts';
import { readArea } from '../../query/search/page/geojson.ts';
import type { Issue } from '../../query/search/request/issue.ts';
import { isObject, type JsonObject } from '../search/body-reader.ts';
import type { IssueList } from '../search/issue-list.ts';
import { LONGEST_ADDRESS, MOST_METRES, MOST_MINUTES } from './limits.ts';

/** About what an area is drawn. */
export type AreaPlace =
  | { readonly point: Point }
  | { readonly address: string }
  | { readonly parcelId: string }
  | { readonly geometry: Geometry };

/** A judged question for an area: so many geodesic metres about a place, or so many minutes of driving from it. */
export interface AreaQuestion {
  readonly place: AreaPlace;
  readonly reach: { readonly metres: number } | { readonly minutes: number };
  /** Where the question stands in the request. */
  readonly path: string;
}

const AREA_KEYS = ['lat', 'lng', 'address', 'parcel_id', 'geometry', 'within_m', 'drive_minutes'];

const positionsOf = (value: unknown): Float64Array | null => {
  if (!Array.isArray(value) || value.length === 0) return null;
  const xy = value.flatMap((position: unknown) => {
    if (!Array.isArray(position) || position.length !== 2) return [Number.NaN];
    const [x, y] = position as unknown[];
    const sound = typeof x === 'number' && typeof y === 'number' && Math.abs(x) <= 180 && Math.abs(y) <= 90;
    return sound ? [x + 0, y + 0] : [Number.NaN];
  });
  return xy.some(Number.isNaN) ? null : Float64Array.from(xy);
};

/** Reads a GeoJSON Point, LineString or MultiLineString; null where its coordinates are none. */
function readLines(type: string, coordinates: unknown): Geometry | null {
  const lists = coordinates instanceof Coordinates ? coordinates.toLists() : coordinates;
  const given = type === 'Point' ? [[lists]] : type === 'LineString' ? [lists] : lists;
  if (!Array.isArray(given) || given.length === 0) return null;
  const paths = given.map(positionsOf);
  const least = type === 'Point' ? 2 : 4;
  if (paths.some(path => path === null || path.length < least)) return null;
  const ends = new Uint32Array(paths.length);
  let end = 0;
  for (const [i, path] of paths.entries()) ends[i] = end += path!.length / 2;
  const xy = Float64Array.from(paths.flatMap(path => [...path!]));
  return { type: type as Geometry['type'], xy, ends, parts: new Uint32Array(0) };
}

/** Reads what an area is drawn about: GeoJSON without altitude, `type` and `coordinates` alone. */
function readShape(value: unknown, path: string, maxVertices: number): Geometry | Issue {
  const refused = (description: string) => ({
    path,
    description,
    hint: 'Send {"type", "coordinates"} of a Point, LineString, MultiLineString, Polygon or MultiPolygon, [longitude, latitude] in degrees.',
  });
  if (!isObject(value)) return refused('The shape is not a GeoJSON object.');
  const { type, coordinates } = value;
  if (type === 'Polygon' || type === 'MultiPolygon') return readArea(value, path, maxVertices);
  if (type !== 'Point' && type !== 'LineString' && type !== 'MultiLineString')
    return refused('The shape is of no type that an area is drawn about.');
  if (Object.keys(value).length !== 2) return refused('The shape has members beside `type` and `coordinates`.');
  const shape = readLines(type, coordinates);
  if (!shape) return refused('The coordinates are not those of such a shape.');
  return shape.xy.length / 2 > maxVertices ? refused(`The shape has more than ${maxVertices} vertices.`) : shape;
}

/** Reads an area question. Issues never quote a value of it. */
export class AreaBody {
  readonly #issues: IssueList;
  readonly #maxVertices: number;

  constructor(issues: IssueList, maxVertices: number) {
    this.#issues = issues;
    this.#maxVertices = maxVertices;
  }

  /** @param path where it stands in the request; empty for the body. */
  read(given: unknown, path: string): AreaQuestion | null {
    const at = path || 'body';
    if (!isObject(given)) return this.#refuse(at, 'Expected an object.', `It takes ${AREA_KEYS.join(', ')}.`);
    const wrong = Object.keys(given).filter(key => !AREA_KEYS.includes(key));
    if (wrong.length > 0) {
      const nearest = wrong.slice(0, MOST_ADVISED).flatMap(key => nearestNames(key, AREA_KEYS).slice(0, 1));
      const advice = nearest.length > 0 ? `Nearest: ${namesText([...new Set(nearest)])}. ` : '';
      this.#refuse(at, 'It has an unknown property.', `${advice}It takes ${AREA_KEYS.join(', ')}.`);
    }
    const place = this.#place(given, path);
    const reach = this.#reach(given, path);
    if (place && reach && 'geometry' in place && 'minutes' in reach)
      return this.#refuse(at, 'One drives from a point.', 'Send `lat` and `lng`, `address` or `parcel_id`.');
    return place && reach && { place, reach, path: at };
  }

  #refuse(path: string, description: string, hint: string): null {
    this.#issues.say(path, description, hint);
    return null;
  }

  #place(body: JsonObject, path: string): AreaPlace | null {
    const within = (key: string) => (path ? `${path}.${key}` : key);
    const has = (key: string) => Object.hasOwn(body, key);
    const forms = ['lat', 'address', 'parcel_id', 'geometry'].filter(has);
    if (forms.length !== 1 || has('lat') !== has('lng'))
      return this.#refuse(
        path || 'body',
        'Expected one place.',
        'Send `lat` and `lng`, `address`, `parcel_id` or `geometry`, one of them.',
      );
    if (has('lat')) {
      const { lat, lng } = body;
      const isDegrees = (value: unknown, most: number): value is number =>
        typeof value === 'number' && Math.abs(value) <= most;
      if (isDegrees(lat, 90) && isDegrees(lng, 180)) return { point: { lng, lat } };
      return this.#refuse(within('lat'), 'Expected a coordinate in degrees.', 'Numbers, -90 to 90 and -180 to 180.');
    }
    if (has('geometry')) {
      const geometry = readShape(body.geometry, within('geometry'), this.#maxVertices);
      return 'description' in geometry
        ? this.#refuse(geometry.path, geometry.description, geometry.hint)
        : { geometry };
    }
    const key = has('address') ? 'address' : 'parcel_id';
    const text = body[key];
    if (typeof text !== 'string' || text.trim() === '' || text.length > LONGEST_ADDRESS)
      return this.#refuse(within(key), 'Expected a text.', `1 to ${LONGEST_ADDRESS} characters.`);
    return key === 'address' ? { address: text } : { parcelId: text };
  }

  #reach(body: JsonObject, path: string): AreaQuestion['reach'] | null {
    const forms = ['within_m', 'drive_minutes'].filter(key => Object.hasOwn(body, key));
    if (forms.length !== 1)
      return this.#refuse(path || 'body', 'Expected how far.', 'Send `within_m` or `drive_minutes`, one of them.');
    const key = forms[0]!;
    const [value, most] = [body[key], key === 'within_m' ? MOST_METRES : MOST_MINUTES];
    if (typeof value === 'number' && value >= 1 && value <= most)
      return key === 'within_m' ? { metres: value } : { minutes: value };
    return this.#refuse(path ? `${path}.${key}` : key, 'Expected another number.', `Send 1 to ${most}.`);
  }
}
