import type { Geometry } from '../../../datasets/geometry.ts';
import { type JsonBytes, Phrase } from '../../format/json-bytes.ts';
import { polygonsToGeometry, ringsOf } from '../../geometry/geos.ts';
import { turningOf } from '../../geometry/ring-turning.ts';
import type { Issue } from '../request/issue.ts';
import { Coordinates } from './coordinates.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const WHOLE = 'Send {"type": "Polygon" or "MultiPolygon", "coordinates": […]} and nothing else.';

class Refused extends Error {
  readonly issue: Issue;
  constructor(path: string, description: string, hint: string) {
    super(description);
    this.issue = { path, description, hint };
  }
}

/**
 * Reads a filter's GeoJSON: Polygon or MultiPolygon with `type` and `coordinates` only, positions [lng, lat].
 * Structure alone is judged here (closed rings of at least four positions, coordinates in range, budget of vertices);
 * whether the rings make a valid area is GEOS's to say.
 * @param path of the value in the request, for the issue.
 * @param budget vertices left for this request, the closing ones counted.
 * @returns the geometry, or the first thing that is wrong with it.
 */
export function readArea(value: unknown, path: string, budget: number): Geometry | Issue {
  try {
    if (!isObject(value)) throw new Refused(path, 'The area is not a GeoJSON object.', WHOLE);
    const extra = Object.keys(value).some(key => key !== 'type' && key !== 'coordinates');
    if (extra)
      throw new Refused(
        path,
        'The area has members beside `type` and `coordinates`.',
        'Send the bare geometry: no Feature, crs, bbox or properties. Coordinates are WGS84.',
      );
    const { type, coordinates } = value;
    if (type !== 'Polygon' && type !== 'MultiPolygon')
      throw new Refused(`${path}.type`, 'The area is neither a Polygon nor a MultiPolygon.', WHOLE);
    const at = `${path}.coordinates`;
    const sound = coordinates instanceof Coordinates ? soundPolygons(coordinates, type, budget) : null;
    // What is wrong is named by its place in the lists.
    const lists = coordinates instanceof Coordinates && !sound ? coordinates.toLists() : coordinates;
    const left = { vertices: budget };
    const polygons =
      sound ??
      (type === 'Polygon'
        ? [readRings(lists, at, left)]
        : listOf(lists, at, 'polygons').map((rings, i) => readRings(rings, `${at}[${i}]`, left)));
    const [ring, ...others] = polygons.flat();
    // Of one ring nothing need be put together.
    if (others.length === 0)
      return { type: 'Polygon', xy: ring!, ends: Uint32Array.of(ring!.length / 2), parts: Uint32Array.of(1) };
    return polygonsToGeometry(polygons);
  } catch (error) {
    if (error instanceof Refused) return error.issue;
    throw error;
  }
}

/** Coordinates of an area in which nothing is to be refused, -0 made 0; otherwise null. */
function soundPolygons({ polygons, isMulti }: Coordinates, type: string, budget: number) {
  if (isMulti !== (type === 'MultiPolygon')) return null;
  let left = budget;
  for (const xy of polygons.flat()) {
    left -= xy.length / 2;
    const last = xy.length - 2;
    if (left < 0 || last < 6 || xy[0] !== xy[last] || xy[1] !== xy[last + 1]) return null;
    for (let i = 0; i < xy.length; i += 2) {
      const x = xy[i]!;
      const y = xy[i + 1]!;
      if (!(x >= -180 && x <= 180 && y >= -90 && y <= 90)) return null;
      xy[i] = x + 0;
      xy[i + 1] = y + 0;
    }
  }
  return polygons;
}

function listOf(value: unknown, path: string, what: string): unknown[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new Refused(path, `Expected a nonempty list of ${what}.`, 'See RFC 7946, section 3.1.6 and 3.1.7.');
  return value;
}

const readRings = (value: unknown, path: string, left: { vertices: number }): Float64Array[] =>
  listOf(value, path, 'rings').map((ring, i) => readRing(ring, `${path}[${i}]`, left));

function readRing(value: unknown, path: string, left: { vertices: number }): Float64Array {
  const positions = listOf(value, path, 'positions');
  left.vertices -= positions.length;
  if (left.vertices < 0)
    throw new Refused(
      path,
      'The areas of this request together have more vertices than one request may.',
      'Simplify the areas, or split the search.',
    );
  if (positions.length < 4)
    throw new Refused(path, `The ring has ${positions.length} positions, expected at least 4.`, 'Close the ring.');
  const xy = new Float64Array(positions.length * 2);
  for (let i = 0; i < positions.length; i++) {
    const position = positions[i];
    // Named only where one is refused: there may be ten thousand.
    const where = () => `${path}[${i}]`;
    if (!Array.isArray(position) || position.length !== 2)
      throw new Refused(
        where(),
        'The position is not a list of exactly two numbers.',
        'Write [longitude, latitude], without altitude.',
      );
    const x: unknown = position[0];
    const y: unknown = position[1];
    if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y))
      throw new Refused(
        where(),
        'A coordinate is not a finite JSON number.',
        'Write [longitude, latitude] in degrees.',
      );
    if (x < -180 || x > 180 || y < -90 || y > 90)
      throw new Refused(
        where(),
        'The position lies outside longitude -180..180 or latitude -90..90.',
        Math.abs(y) > 90 && Math.abs(x) <= 90
          ? 'The order is [longitude, latitude]; these seem to be swapped.'
          : 'Split areas that cross the antimeridian at longitude 180 into a MultiPolygon.',
      );
    // -0 and 0 are one coordinate.
    xy[2 * i] = x + 0;
    xy[2 * i + 1] = y + 0;
  }
  const last = xy.length - 2;
  if (xy[0] !== xy[last] || xy[1] !== xy[last + 1])
    throw new Refused(
      `${path}[${positions.length - 1}]`,
      'The ring is not closed.',
      'Repeat its first position as its last.',
    );
  return xy;
}

/** Whether a ring runs against RFC 7946, section 3.1.6: shells counter-clockwise, holes clockwise. Files keep the other way. */
const isTurned = (xy: Float64Array, from: number, to: number, isShell: boolean): boolean =>
  isShell ? turningOf(xy, from, to) < 0 : turningOf(xy, from, to) > 0;

/** Writes the coordinates of a geometry behind others, rings in the direction of RFC 7946. @param start place of the first number. */
export function putAsGeoJson({ xy, ends, parts }: Geometry, into: Float64Array, start: number): void {
  into.set(xy, start);
  let ring = 0;
  for (let part = 0; part < parts.length; part++)
    for (const shell = ring; ring < parts[part]!; ring++) {
      const [from, to] = [ring === 0 ? 0 : ends[ring - 1]!, ends[ring]!];
      if (!isTurned(xy, from, to, ring === shell)) continue;
      for (let i = from; i < to; i++) {
        const other = from + to - 1 - i;
        into[start + 2 * i] = xy[2 * other]!;
        into[start + 2 * i + 1] = xy[2 * other + 1]!;
      }
    }
}

/** A stored geometry of any type as GeoJSON: every part and hole, coordinates as stored, rings in the direction of RFC 7946. */
export function toGeoJson(geometry: Geometry): { type: string; coordinates: unknown } {
  const { type, xy, ends } = geometry;
  if (type !== 'Polygon' && type !== 'MultiPolygon') {
    const positions = Array.from({ length: xy.length / 2 }, (_, i) => [xy[2 * i]!, xy[2 * i + 1]!]);
    if (type === 'Point') return { type, coordinates: positions[0]! };
    if (type === 'MultiPoint' || type === 'LineString') return { type, coordinates: positions };
    return { type, coordinates: Array.from(ends, (end, i) => positions.slice(i === 0 ? 0 : ends[i - 1]!, end)) };
  }
  const polygons = ringsOf(geometry).map(rings =>
    rings.map((ring, at) => {
      const positions = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
      return isTurned(ring, 0, positions.length, at === 0) ? positions.reverse() : positions;
    }),
  );
  return geometry.type === 'Polygon'
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons };
}

const OPEN = new Phrase('[');
const COMMA = new Phrase(',');
const CLOSE = new Phrase(']');
const POLYGON = new Phrase('{"type":"Polygon","coordinates":');
const MULTIPOLYGON = new Phrase('{"type":"MultiPolygon","coordinates":');
const END = new Phrase('}');

/** Writes some rings as a list of lists of positions. @param from first ring. @param to ring behind the last. */
function writePolygon(out: JsonBytes, { xy, ends }: Geometry, from: number, to: number): void {
  out.say(OPEN);
  for (let ring = from; ring < to; ring++) {
    if (ring > from) out.say(COMMA);
    out.say(OPEN);
    const first = ring === 0 ? 0 : ends[ring - 1]!;
    const count = ends[ring]! - first;
    const [start, step] = isTurned(xy, first, ends[ring]!, ring === from) ? [first + count - 1, -1] : [first, 1];
    for (let i = 0; i < count; i++) {
      if (i > 0) out.say(COMMA);
      const v = start + i * step;
      out.position(xy[2 * v]!, xy[2 * v + 1]!);
    }
    out.say(CLOSE);
  }
  out.say(CLOSE);
}

/** As toGeoJson, written as JSON text. */
export function writeGeoJson(out: JsonBytes, geometry: Geometry): void {
  const { parts } = geometry;
  if (geometry.type === 'Polygon') {
    out.say(POLYGON);
    writePolygon(out, geometry, 0, parts[0]!);
  } else {
    out.say(MULTIPOLYGON);
    out.say(OPEN);
    for (let part = 0; part < parts.length; part++) {
      if (part > 0) out.say(COMMA);
      writePolygon(out, geometry, part === 0 ? 0 : parts[part - 1]!, parts[part]!);
    }
    out.say(CLOSE);
  }
  out.say(END);
}
