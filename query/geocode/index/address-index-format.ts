import type { Street } from '../address/street.ts';
import type { IntRows } from './int-rows.ts';

/** A street of one city and ZIP code. */
export interface StreetEntry {
  readonly street: Street;
  /** In capitals; null where the source names none. */
  readonly city: string | null;
  readonly zip: string | null;
  /** The city of the Postal Service, in capitals, where the source names it beside another city. */
  readonly postal: string | null;
}

/** Value of a place on a street of which the file knows no number: it says that the street is there, and where. */
export const NO_NUMBER = 0;

const MAGIC = 'PLATADR1';
/** 32-bit integers of a point: value, high, lng, lat, kind with the suffix in the upper 16 bits. */
export const POINT_INTS = 5;
/** 32-bit integers of a segment: left from, to, right from, to, left ZIP, right ZIP, first vertex and one past the last. */
export const SEGMENT_INTS = 8;
/** A header larger than this is none. */
const MOST_HEADER = 1 << 20;

/** Where the parts of the file begin, in bytes, and how many entries they hold. */
interface IndexHeader {
  readonly streets: number;
  readonly points: number;
  readonly segments: number;
  readonly vertices: number;
  readonly suffixes: readonly string[];
  /** Names of the counties that rows tell; not in an index from before they were kept. */
  readonly counties?: readonly string[];
  /** Bytes of the text with one street a line. */
  readonly textBytes: number;
}

/** Byte offsets of the parts, from a header and where it ends. */
export function layoutOf(header: IndexHeader, end: number) {
  const align = (at: number) => Math.ceil(at / 8) * 8;
  const text = align(end);
  const pointStarts = align(text + header.textBytes);
  const segmentStarts = pointStarts + 4 * (header.streets + 1);
  const points = segmentStarts + 4 * (header.streets + 1);
  const segments = points + 4 * POINT_INTS * header.points;
  const vertices = segments + 4 * SEGMENT_INTS * header.segments;
  return { text, pointStarts, segmentStarts, points, segments, vertices, end: vertices + 8 * header.vertices };
}

const field = (value: string | null) => value ?? '';

/** One line of the street text; the parts of a street are words in capitals, so a tab parts them. A postal city is the last, if any. */
const lineOf = ({ street: s, city, zip, postal }: StreetEntry): string =>
  [
    s.pre,
    s.name,
    s.suffix,
    s.post,
    s.key,
    s.whole,
    s.highway?.class ?? null,
    s.highway?.number ?? null,
    city,
    zip,
    ...(postal === null ? [] : [postal]),
  ]
    .map(field)
    .join('\t');

const requireParts = (count: number) => {
  if (count !== 10 && count !== 11) throw new RangeError(`a street has ${count} parts, expected 10 or 11`);
};

/** Key and whole name of a line of the text, without taking the rest apart. @throws RangeError when it has not its parts. */
export function namesOf(line: string): { readonly key: string; readonly whole: string } {
  let [at, tabs, key, whole, end] = [-1, 0, 0, 0, 0];
  for (at = line.indexOf('\t'); at >= 0; at = line.indexOf('\t', at + 1)) {
    tabs++;
    if (tabs === 4) key = at + 1;
    else if (tabs === 5) whole = at + 1;
    else if (tabs === 6) end = at;
  }
  requireParts(tabs + 1);
  return { key: line.slice(key, whole - 1), whole: line.slice(whole, end) };
}

/** City, ZIP code and postal city of a line of the text, empty where it names none. */
export function areasOf(line: string): readonly [city: string, zip: string, postal: string] {
  const [city = '', zip = '', postal = ''] = line.split('\t').slice(8);
  return [city, zip, postal];
}

/** The street of a line of the text. @throws RangeError when the line has not its parts. */
export function entryOf(line: string): StreetEntry {
  const parts = line.split('\t');
  requireParts(parts.length);
  const [pre, name, suffix, post, key, whole, road, number, city, zip, postal] = parts as [string, ...string[]] & {
    length: 11;
  };
  const none = (part: string | undefined) => (part ? part : null);
  const highway = road
    ? { class: road as NonNullable<Street['highway']>['class'], number: number!, name: name! }
    : null;
  const street: Street = {
    pre: none(pre),
    name: name!,
    suffix: none(suffix),
    post: none(post),
    key: key!,
    whole: whole!,
    digits: key!.replace(/\D+/g, ' ').trim(),
    highway,
  };
  return { street, city: none(city), zip: none(zip), postal: none(postal) };
}

/**
 * Writes an index: magic, header length and header (JSON), the streets as text, where each street's points and segments
 * begin, points, segments, vertices; integers little-endian.
 */
export function encodeAddressIndex(content: {
  readonly entries: readonly StreetEntry[];
  readonly suffixes: readonly string[];
  readonly counties: readonly string[];
  readonly points: IntRows;
  readonly segments: IntRows;
  readonly vertices: IntRows;
}): Uint8Array {
  const { entries, suffixes, counties, points, segments, vertices } = content;
  const text = Buffer.from(entries.map(lineOf).join('\n'));
  const header: IndexHeader = {
    streets: entries.length,
    points: points.count,
    segments: segments.count,
    vertices: vertices.count,
    suffixes,
    counties,
    textBytes: text.length,
  };
  const json = Buffer.from(JSON.stringify(header));
  const at = layoutOf(header, MAGIC.length + 4 + json.length);
  const bytes = Buffer.alloc(at.end);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32LE(json.length, MAGIC.length);
  json.copy(bytes, MAGIC.length + 4);
  text.copy(bytes, at.text);
  let to = 0;
  const put = (int: number) => {
    bytes.writeInt32LE(int, to);
    to += 4;
  };
  /** Where each street's rows begin, and after them where the last one's end. */
  const starts = (from: number, rows: IntRows, order: Uint32Array) => {
    to = from;
    for (let street = 0, i = 0; street <= entries.length; street++) {
      while (i < order.length && rows.get(order[i]!, 0) < street) i++;
      put(i);
    }
  };
  const pointOrder = points.sorted();
  const segmentOrder = segments.sorted();
  starts(at.pointStarts, points, pointOrder);
  starts(at.segmentStarts, segments, segmentOrder);
  to = at.points;
  for (const row of pointOrder) {
    for (const column of [1, 6, 4, 5]) put(points.get(row, column));
    put((points.get(row, 2) << 16) | points.get(row, 3));
  }
  // Vertices follow their segments' order, so that a street's lines are read at once.
  to = at.segments;
  for (let i = 0, vertex = 0; i < segmentOrder.length; i++) {
    const row = segmentOrder[i]!;
    for (let column = 1; column <= 6; column++) put(segments.get(row, column));
    const length = segments.get(row, 8) - segments.get(row, 7);
    put(vertex);
    put(vertex + length);
    vertex += length;
  }
  to = at.vertices;
  for (const row of segmentOrder)
    for (let vertex = segments.get(row, 7); vertex < segments.get(row, 8); vertex++) {
      put(vertices.get(vertex, 0));
      put(vertices.get(vertex, 1));
    }
  return bytes;
}

/**
 * Reads the header. @returns it with the byte it ends at.
 * @throws RangeError when the bytes are no index.
 */
export function headerOf(
  read: (start: number, length: number) => Uint8Array,
  size: number,
): { header: IndexHeader; end: number } {
  const start = MAGIC.length + 4;
  if (size < start) throw new RangeError('it is too short');
  const prefix = Buffer.from(read(0, start));
  if (prefix.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new RangeError(`it does not begin with ${MAGIC}`);
  const length = prefix.readUInt32LE(MAGIC.length);
  if (length > MOST_HEADER || start + length > size) throw new RangeError(`its header cannot be ${length} bytes long`);
  const header = JSON.parse(Buffer.from(read(start, length)).toString()) as IndexHeader;
  if (layoutOf(header, start + length).end !== size) throw new RangeError('its header does not fit its size');
  return { header, end: start + length };
}
