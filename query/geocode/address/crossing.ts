import { directionalOf } from './directional.ts';
import { suffixOf } from './suffix.ts';

/** Whether a word is a number that may be a house's: 73, 12B, 37-16, and no ordinal. */
export const isNumeric = (word: string | undefined) =>
  word !== undefined && /^\d[\dA-Z/-]*$/.test(word) && !/^\d+(?:ST|ND|RD|TH)$/.test(word);

/** Designators of roads, boxes, mile markers and utility poles, behind which a number is no house's. */
export const ROAD =
  /^(?:ROUTE|RTE|RT|HIGHWAY|HWY|ROAD|RD|US|SR|CR|COUNTY|INTERSTATE|I|FM|RM|RR|BOX|EXIT|MILE|MILEPOST|MP|MM|MARKER|POST|POLE|KM|CARR|AND|OF|&)$/;

/** Whether words end as a street does: in its type, or in a directional behind that. */
export const isStreetEnd = (words: readonly string[]): boolean =>
  suffixOf(words.at(-1)!) !== null || (directionalOf(words.at(-1)!) !== null && suffixOf(words.at(-2) ?? '') !== null);

/** Types of streets alone: neighborhoods are called GROVE or FALLS. */
export const PLAIN = /^(?:ST|AVE|RD|DR|LN|CT|BLVD|PL|PKWY|CIR|WAY|TER)$/;
/** A piece that is a street and nothing else, its directional aside. */
export const isPlainStreet = (words: readonly string[]): boolean =>
  isStreetEnd(words) && words.length > 1 && words.some((word, i) => i > 0 && PLAIN.test(suffixOf(word) ?? ''));

/** What stands in front of an intersection: CORNER OF, NE COR OF, INTERSECTION OF. */
const CORNER =
  /^(?:(?:AT|ON) )?(?:THE )?(?:(?:[NS][EW]?|[EW]|(?:NORTH|SOUTH)(?:EAST|WEST)?|EAST|WEST) )?(?:(?:CORNER|COR|INTERSECTION|INT|JUNCTION|CROSSING|NEC|NWC|SEC|SWC) OF|COR|CORNER|INTERSECTION) /;
/** What stands between its streets: UNION ST CORNER OF HAMMOND ST, UNION ST AT THE INTERSECTION WITH HAMMOND ST. */
const BETWEEN = / (?:(?:&|AT) )?(?:THE )?(?:CORNER|COR|INTERSECTION|INT|JUNCTION) (?:OF|WITH) /;
/** What stands behind them: HAMMOND & UNION INTERSECTION. */
const BEHIND = /^(?:INTERSECTION|CORNER|JUNCTION)$/;
/** Words behind which X is a street's name: AVENUE X. In MALCOLM X BLVD it is a part of one. */
const NO_NAME = /^(?:AVE|ST|&|AND|AT)$/;
const isName = (word: string) => !PLAIN.test(suffixOf(word) ?? '') && !NO_NAME.test(word);
/** Whether words say that they are the other street of a crossing: CORNER OF UNION ST. */
export const saysCorner = (words: readonly string[]): boolean =>
  / OF /.test(CORNER.exec(words.join(' '))?.[0] ?? '') && crossStreets(words) === null;

/** A word without which no words are a crossing. */
const JOIN = /^(?:&|AND|AT|X|WITH|COR|CORNER|CROSSING|OF)$/;

/** A hyphen or a backslash behind letters of the first line, which begins with no house number. */
const HYPHEN = /^(?!\s*#?\d+[A-Za-z]?\s)([^,;\n]*?[A-Za-z][.)]?)\s*[-\u2010-\u2015\\]\s*(?=[A-Za-z\d])/;

/**
 * A text whose hyphen may join two streets, with a sign that does: HAMMOND-UNION, BANGOR. It may as well be a part of a name.
 * @returns null where it has no such hyphen.
 */
export const withoutHyphen = (address: string): string | null =>
  HYPHEN.test(address) ? address.replace(HYPHEN, '$1 & ') : null;

/** Types in the plural, which are those of both streets: MAIN AND UNION STS, 16TH & K STREETS NW. */
const PLURALS: Readonly<Record<string, string>> = {
  STS: 'ST',
  STREETS: 'ST',
  AVES: 'AVE',
  AVENUES: 'AVE',
  RDS: 'RD',
  ROADS: 'RD',
};

/** The two streets of a crossing, each with its own type. */
export function typed(first: readonly string[], second: readonly string[]): [string[], string[]] {
  const at = second.findLastIndex((word, i) => i > 0 && i >= second.length - 2 && Object.hasOwn(PLURALS, word));
  const behind = at < 0 ? [] : second.slice(at + 1);
  if (at < 0 || !behind.every(word => directionalOf(word) !== null)) return [[...first], [...second]];
  const type = PLURALS[second[at]!]!;
  return [isStreetEnd(first) ? [...first] : [...first, type, ...behind], second.with(at, type)];
}

/**
 * The two streets that words name as an intersection; null when they name none. `AND`, `AT`, `X` and `WITH` join only without a
 * house number, and `WITH` only behind a street's type.
 */
export function crossStreets(all: readonly string[]): { first: string[]; second: string[] } | null {
  if (!all.some(word => JOIN.test(word))) return null;
  const front = CORNER.exec(all.join(' '))?.[0] ?? '';
  const others = all.slice(front.split(' ').length - 1);
  const isBetween = others.some(word => word === 'OF' || word === 'WITH');
  const words = isBetween ? `${front}${others.join(' ').replace(BETWEEN, ' & ')}`.split(' ') : all;
  const corner = front.split(' ').length - 1;
  // CORNER RD is a street; CORNER OF ST JAMES ST begins no street.
  const skip = words[corner - 1] === 'OF' || !PLAIN.test(suffixOf(words[corner] ?? '') ?? '') ? corner : 0;
  const joins = (word: string, i: number) =>
    /^(?:&|AND|AT)$/.test(word) ||
    (/^(?:X|WITH|COR|CORNER|CROSSING)$/.test(word) && isStreetEnd(words.slice(skip, i))) ||
    (word === 'X' && !NO_NAME.test(suffixOf(words[i - 1]!) ?? words[i - 1]!) && isName(words[i + 1]!));
  const at = words.findIndex((word, i) => i > skip && i < words.length - 1 && joins(word, i));
  if (at < 0 || (words[at] !== '&' && /^\d+[A-Z]?$/.test(words[0]!))) return null;
  // LOCATED AT 73 HARLOW ST is no crossing.
  if (words[at] === 'AT' && /^\d+[A-Z]?$/.test(words[at + 1]!)) return null;
  const second = words.length > at + 2 && BEHIND.test(words.at(-1)!) ? words.slice(at + 1, -1) : words.slice(at + 1);
  // Nor is SMITH & SONS 73 HARLOW ST, which is who lives there.
  const number = second.findIndex((word, i) => i > 0 && isNumeric(word) && !ROAD.test(second[i - 1]!));
  if (number > 0 && isStreetEnd(second.slice(number + 1))) return null;
  return { first: words.slice(skip, at), second };
}
