import { type Coordinates, CoordinatesReader } from '../../query/search/page/coordinates.ts';
import { parseJson } from '../http/json.ts';

const NAME = Buffer.from('"coordinates"');
const [COLON, BACKSLASH] = [0x3a, 0x5c];
const SPACES = [0x20, 0x09, 0x0d, 0x0a];

/** Bodies of at least this many bytes are scanned for coordinates. */
const LONG = 1024;
/** Deepest nesting at which a valid body holds coordinates: `filters`, a filter, its value, their member. */
const DEEPEST = 4;

/** A body whose coordinates were read and replaced by numbers. */
interface Cut {
  readonly text: Buffer;
  /** The coordinates that the numbers 0, 1, … stand for. */
  readonly coordinates: readonly Coordinates[];
}

/** Cuts the coordinates out of a body. */
function cut(bytes: Buffer): Cut {
  const parts: Buffer[] = [];
  const coordinates: Coordinates[] = [];
  let kept = 0;
  for (let at = bytes.indexOf(NAME); at >= 0; at = bytes.indexOf(NAME, at)) {
    // The bytes may be the end of a longer string.
    const isEscaped = bytes[at - 1] === BACKSLASH;
    at += NAME.length;
    while (SPACES.includes(bytes[at]!)) at++;
    if (isEscaped || bytes[at] !== COLON) continue;
    const reader = new CoordinatesReader(bytes, ++at);
    const read = reader.read();
    if (!read) continue;
    // Spaces keep the digits around it from joining the number.
    parts.push(bytes.subarray(kept, at), Buffer.from(` ${coordinates.length} `));
    coordinates.push(read);
    at = kept = reader.at;
  }
  parts.push(bytes.subarray(kept));
  return { text: Buffer.concat(parts), coordinates };
}

/** Puts the coordinates back in order. @returns how many had a place; -1 when one holds anything else. */
function putBack(value: unknown, coordinates: readonly Coordinates[], found = 0, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return found;
  const object = value as Record<string, unknown>;
  for (const name of Object.keys(object)) {
    if (name !== 'coordinates') found = putBack(object[name], coordinates, found, depth + 1);
    else if (object[name] === found && found < coordinates.length) object[name] = coordinates[found++];
    else return -1;
    if (found < 0) return -1;
  }
  return found;
}

/**
 * Does what parseJson does, but returns the coordinates of areas as Coordinates. A long body is mostly coordinates, and
 * handling them as lists takes longer than all other work on the body.
 * @throws JsonError that says what is wrong.
 */
export function parseSearchBody(bytes: Buffer): unknown {
  if (bytes.length < LONG) return parseJson(bytes);
  const { text, coordinates } = cut(bytes);
  if (coordinates.length > 0) {
    const body = parseJson(text);
    if (putBack(body, coordinates) === coordinates.length) return body;
  }
  return parseJson(bytes);
}
