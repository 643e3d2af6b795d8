import type { Point } from '../../query/evaluate/answer.ts';
import { ServiceError } from '../errors/registry.ts';
import { withinEnvelope } from '../locator.ts';

const NUMBER = '\\d+(?:\\.\\d*)?|\\.\\d+';
/** Degrees, then minutes and seconds where they are written, with a hemisphere in front or behind: N 44° 48' 6.1". */
const ANGLE = `([NSEW])?\\s*([+-]?(?:${NUMBER}))\\s*([°D:])?(?:\\s*(${NUMBER})\\s*(['M:])?(?:\\s*(${NUMBER})\\s*("|S(?=[\\s,;]|$|[NSEW]))?)?)?\\s*([NSEW])?`;
const PAIR = new RegExp(`^[([]?\\s*${ANGLE}\\s*([,;/]|\\s)\\s*${ANGLE}\\s*[)\\]]?$`);
/** A hemisphere behind a number ends an angle, or begins the next where the first has its own in front: N44.8W68.8. */
const ENDING = /(?<=\d[°'"]?\s*)([NS])(?=\s*[\d.])/;
const BEGINNING = /(?<=^[NSEW][^NSEW]*?)[\s,;]*([NSEW])(?=\s*[\d.])/;
/** A point as text of the simple features standard, longitude first; as a URI (RFC 5870), latitude first. */
const POINT =
  /^(?:SRID=4326;)?\s*POINT(?:\s*Z)?\s*\(\s*([+-]?[\d.]+)(?:\s+|\s*,\s*)([+-]?[\d.]+)(?:\s+[+-]?[\d.]+)?\s*\)$/;
const URI = /^GEO:([+-]?[\d.]+),([+-]?[\d.]+)(?:,[+-]?[\d.]+)?(?:[;?].*)?$/;
/** Two numbers of which each is called latitude or longitude, as JSON, a query or a table has them. */
const CALLED =
  /^\W*(LAT|LO?NG?)(?:ITUDE)?["']?\s*[:=]\s*([+-]?\d[\d.]*)\W+?(LAT|LO?NG?)(?:ITUDE)?["']?\s*[:=]\s*([+-]?\d[\d.]*)\W*$/;
/** Degrees, minutes and seconds joined by hyphens, as charts have them: 44-48-06N. */
const HYPHENED = /(?<![\d-])(\d{1,3})-(\d{1,2})-(\d{1,2}(?:\.\d+)?)(?=[NSEW])/g;

interface Angle {
  readonly degrees: number;
  readonly hemisphere: string | null;
  /** Whether it is told by more than a number that it is an angle. */
  readonly isMarked: boolean;
}

/** One angle of its parts; null where minutes or seconds are none. */
function angleOf(parts: readonly (string | undefined)[]): Angle | null {
  const [before, whole, degreeSign, minutes, minuteSign, seconds, secondSign, after] = parts;
  const [m, s] = [Number(minutes ?? 0), Number(seconds ?? 0)];
  if (m >= 60 || s >= 60 || (before !== undefined && after !== undefined)) return null;
  if (minutes !== undefined && whole!.includes('.')) return null;
  const hemisphere = before ?? after ?? null;
  const signs = degreeSign ?? minuteSign ?? secondSign;
  const size = Math.abs(Number(whole)) + m / 60 + s / 3600;
  const negative = whole!.startsWith('-') || hemisphere === 'S' || hemisphere === 'W';
  if (minutes !== undefined && hemisphere === null && signs === undefined) return null;
  return { degrees: negative ? -size : size, hemisphere, isMarked: hemisphere !== null || signs !== undefined };
}

/**
 * Reads a coordinate as people copy it: decimal degrees, degrees with minutes and seconds, hemispheres in front or behind,
 * `geo:` and `POINT()`. Latitude comes first but in `POINT()`.
 * @returns null when the text is none: without a comma numbers need decimals or signs, since `123 456` is a parcel.
 */
export function coordinateOf(text: string): Point | null {
  const read = pairIn(text);
  if (!read || 'lng' in read) return read;
  const { first, second } = read;
  // Letters that contradict the order are a slip that nobody should guess about.
  if (isEast(first) || isNorth(second)) throw refusal({ lat: first.degrees, lng: second.degrees }, true);
  return { lat: first.degrees, lng: second.degrees };
}

const isEast = ({ hemisphere }: Angle) => hemisphere === 'E' || hemisphere === 'W';
const isNorth = ({ hemisphere }: Angle) => hemisphere === 'N' || hemisphere === 'S';

/**
 * Reads a coordinate whichever of both comes first: as it is written, else exchanged. Letters decide, then where it lies.
 * @param isPlace whether a point can be meant. @returns null when the text is none, or neither order is such a point.
 */
export function coordinateInAnyOrder(text: string, isPlace: (point: Point) => boolean): Point | null {
  const read = pairIn(text);
  if (!read) return null;
  const [first, second] = 'lng' in read ? [read.lat, read.lng] : [read.first.degrees, read.second.degrees];
  const orders = [
    { lat: first, lng: second },
    { lat: second, lng: first },
  ];
  if (!('lng' in read) && (isEast(read.first) || isNorth(read.second))) orders.shift();
  return orders.find(isPlace) ?? null;
}

/** The angles of a text in their order, or the point of a form that says which is which; null when it has neither. */
function pairIn(text: string): Point | { readonly first: Angle; readonly second: Angle } | null {
  const named = text
    .toUpperCase()
    .replace(/[−–]/g, '-')
    .replace(/[º˚]|\bDEG(?:REES?)?\b\.?/g, '°')
    .replace(/''|[″”“]|\bSEC(?:ONDS?)?\b\.?/g, '"')
    .replace(/[′’‘`]|\bMIN(?:UTES?)?\b\.?/g, "'")
    .replace(/\b(NORTH|SOUTH|EAST|WEST)\b/g, name => name[0]!)
    .replace(HYPHENED, '$1:$2:$3');
  const called = CALLED.exec(named);
  if (called && called[1]!.startsWith('LA') !== called[3]!.startsWith('LA')) {
    const [lat, lng] = called[1]!.startsWith('LA') ? [called[2], called[4]] : [called[4], called[2]];
    return { lat: Number(lat), lng: Number(lng) };
  }
  const plain = named
    .trim()
    .replace(/(?<=\d)\.$/, '')
    .replace(/\b(?:LAT(?:ITUDE)?|LO?NG?(?:ITUDE)?)\b[:=]?/g, ' ')
    .trim();
  const point = POINT.exec(plain);
  if (point) return { lng: Number(point[1]), lat: Number(point[2]) };
  const uri = URI.exec(plain);
  if (uri) return { lat: Number(uri[1]), lng: Number(uri[2]) };
  const found = PAIR.exec(/^[NSEW]/.test(plain) ? plain.replace(BEGINNING, ',$1') : plain.replace(ENDING, '$1,'));
  if (!found) return null;
  const [first, second] = [angleOf(found.slice(1, 9)), angleOf(found.slice(10, 18))];
  if (!first || !second) return null;
  const isDecimal = found[2]!.includes('.') && found[11]!.includes('.');
  if (!/[,;]/.test(found[9]!) && !isDecimal && !(first.isMarked && second.isMarked)) return null;
  if (first.hemisphere && (Math.abs(first.degrees) > 180 || Math.abs(second.degrees) > 180)) return null;
  return { first, second };
}

function refusal({ lat, lng }: Point, swapped: boolean): ServiceError {
  const hint = swapped ? '; lat and lng seem to be swapped' : '';
  return new ServiceError('resolve_coord_bounds', { lat, lng, hint });
}

/** The point. @throws ServiceError resolve_coord_bounds outside the envelope. */
export function requirePlausible(point: Point): Point {
  if (withinEnvelope(point)) return point;
  throw refusal(point, withinEnvelope({ lng: point.lat, lat: point.lng }));
}
