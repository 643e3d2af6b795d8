import type { Geometry } from '../../datasets/geometry.ts';
import type { Point } from '../../query/evaluate/answer.ts';
import { readArea } from '../../query/search/page/geojson.ts';
import type { JsonObject } from '../search/body-reader.ts';
import { LONGEST_ADDRESS } from './limits.ts';
import type { SetReader } from './set-reader.ts';

/** The ground that a body names. */
export type GroundQuestion =
  | { readonly parcelId: string }
  | { readonly siteId: string }
  | { readonly geometry: Geometry; readonly path: string }
  | { readonly point: Point }
  | { readonly address: string };

/** Keys of a body that name its ground, `lat` with `lng`. */
export type GroundKey = 'parcel_id' | 'site_id' | 'geometry' | 'lat' | 'address';

/** How keys are told to people. */
const tell = (key: GroundKey): string => (key === 'lat' ? '`lat` and `lng`' : `\`${key}\``);

/**
 * Reads the one ground that a body names. Issues never quote a value of it.
 * @param keys that may name it. @returns null, and an issue, where none or several do.
 */
export function readGround(
  { issues }: SetReader,
  body: JsonObject,
  keys: readonly GroundKey[],
  maxVertices: number,
): GroundQuestion | null {
  const refuse = (path: string, description: string, hint: string) => {
    issues.say(path, description, hint);
    return null;
  };
  const has = (key: string) => Object.hasOwn(body, key);
  const forms = keys.filter(has);
  if (forms.length !== 1 || has('lat') !== has('lng')) {
    const told = keys.map(tell);
    const all = `${told.slice(0, -1).join(', ')}, or ${told.at(-1)}`;
    return refuse('body', 'Expected one place.', `Send ${all}, one of them.`);
  }
  const [key] = forms;
  if (key === 'lat') {
    const { lat, lng } = body;
    const isDegrees = (value: unknown, most: number): value is number =>
      typeof value === 'number' && Math.abs(value) <= most;
    if (isDegrees(lat, 90) && isDegrees(lng, 180)) return { point: { lng, lat } };
    return refuse('lat', 'Expected a coordinate in degrees.', 'Numbers, -90 to 90 and -180 to 180.');
  }
  if (key === 'geometry') {
    const read = readArea(body.geometry, 'geometry', maxVertices);
    return 'description' in read
      ? refuse(read.path, read.description, read.hint)
      : { geometry: read, path: 'geometry' };
  }
  const text = body[key!];
  if (typeof text !== 'string' || text.trim() === '' || text.length > LONGEST_ADDRESS)
    return refuse(key!, 'Expected a text.', `1 to ${LONGEST_ADDRESS} characters.`);
  if (key === 'address') return { address: text };
  return key === 'site_id' ? { siteId: text } : { parcelId: text };
}
