import type { Evidence, Part, Sentence } from '../backend.ts';
import { numbersIn, placedNumbers } from '../check/number.ts';
import { converted, unitAt, unitWords } from '../units.ts';
import { isInSpanish } from './language.ts';
import { capital, isDistance, isUpperBound, listed, withCommas } from './phrase.ts';
import { spanishTitle } from './spanish.ts';
import { subjectOf } from './subject.ts';
import type { Relation } from './tongue.ts';

const COMPARES =
  /\b(?:closer|nearer|(?:closest|farthest)(?=\s*(?:[?,.:;!]|$|of\b))|farther|further|higher|lower|bigger|larger|smaller|greater|cheaper|dearer|costlier|steeper|windier|more expensive|compare[ds]?|comparison|comparar|vs\.?|versus|difference between|mas (?:cerca|lejos|alto|bajo|barato|caro)|peor|worse|nearest of|(?:highest|biggest|largest|greatest|worst|lowest|smallest|mayor)\b[^.?]*(?:,|\bor\b)|(?:more|less)(?! than (?:an?|\d|half|one|two|three|five|ten)\b)[^.?]*\b(?:than|or)\b|which is (?:the )?(?:nearest|highest|lowest))\b/i;
/** Asks which is more: the answer begins with the greatest. */
const ASKS_MORE =
  /\b(?:higher|highest|bigger|biggest|larger|largest|greater|greatest|farther|farthest|further|worse|worst|steeper|windier|dearer|costlier|more|peor|mayor|mas (?:lejos|alto|caro))\b/i;
/** A radius that a question asks whether something lies within. */
const WITHIN =
  /\b(?:within|no (?:farther|further|more) than|a menos de|dentro de)\s+(?:about |a |an |the )?(?=[\p{L}\d])/iu;
/** Units that a question leaves out. */
const COUNTED: ReadonlySet<string> = new Set(['count', 'people', 'jobs', 'units', 'USD']);

const isNumeric = ({ record }: Evidence): boolean => typeof record.value === 'number';

/** A value beside the limit that a question names. */
interface Limited {
  readonly one: Evidence;
  readonly relation: Relation;
  /** As the question says it. */
  readonly limit: string;
}

/** The limit that a value is held against, with the words that follow its number in the question. */
interface Against {
  readonly value: number;
  readonly unit: string | null;
  readonly written: string;
  readonly after: string;
  readonly ofDistance: boolean;
}

/** What a part holds its value against; null for nothing. */
function againstOf({ text, limit }: Pick<Part, 'text' | 'limit'>): Against | null {
  if (limit) {
    const [number] = numbersIn(limit.written);
    const [, after = ''] = text.split(limit.written);
    return number
      ? { value: limit.value, unit: limit.unit, written: number.written, after: after.trim(), ofDistance: false }
      : null;
  }
  const lead = WITHIN.exec(text);
  const rest = lead === null ? '' : text.slice(lead.index + lead[0].length);
  const [number] = placedNumbers(rest);
  if (number?.start !== 0 || number.unit === null || unitAt(rest.slice(number.end)) === null) return null;
  return { value: number.value, unit: number.unit, written: number.written, after: '', ofDistance: true };
}

/** Nearer than two sensible digits tell apart. */
const NEAR = 0.02;

function relationTo(own: number, limit: number, isBound: boolean): Relation {
  if (own === limit) return 'equal';
  if (isBound && own > limit) return 'mapped';
  const isNear = Math.abs(own - limit) < NEAR * Math.abs(limit);
  return own > limit ? (isNear ? 'just over' : 'more') : isNear ? 'just under' : 'less';
}

/** The value that stands beside the limit of a part; null for none. */
export function limitedBy(part: Pick<Part, 'text' | 'limit'>, evidence: readonly Evidence[]): Limited | null {
  const against = againstOf(part);
  if (!against) return null;
  // Who asks whether the slope is under 3 percent does not ask for the share of land under another.
  const numeric = evidence.filter(isNumeric).sort((a, b) => Number(/\d/.test(a.title)) - Number(/\d/.test(b.title)));
  for (const one of numeric) {
    if (against.ofDistance && !isDistance(one.title)) continue;
    const value = Number(one.record.value);
    const unit = one.record.unit === 'probability' ? 'fraction' : one.record.unit;
    // A unit without conversions must be named exactly.
    const after = against.after.toLowerCase();
    const isSame =
      unit === null ||
      COUNTED.has(unit) ||
      !/^[\p{L}\d]/u.test(after) ||
      [unitWords(unit), unitWords(unit, '1')].some(words => after.startsWith(words.toLowerCase()));
    const own = against.unit !== null ? converted(value, unit, against.unit as never) : isSame ? value : null;
    if (own === null) continue;
    const named = against.unit ?? (unit === null || COUNTED.has(unit) ? null : unit);
    const number = /^[\d.]+$/.test(against.written) ? withCommas(Number(against.written)) : against.written;
    const words =
      named === null || /\b(?:in|of)\b|%$/.test(number)
        ? ''
        : ` ${unitWords(named, /\ban?$/.test(number) ? '1' : number)}`;
    const dollars = unit === 'USD' && !number.startsWith('$') ? '$' : '';
    return { one, relation: relationTo(own, against.value, isUpperBound(one)), limit: `${dollars}${number}${words}` };
  }
  return null;
}

/** Amounts for a month or a week are not set beside those for another time: a rent is lower than any income. */
const periodOf = ({ field }: Evidence): string => /_(rent|weekly)_/.exec(field)?.[1] ?? '';
const areComparable = (one: Evidence, other: Evidence): boolean =>
  one.record.unit === other.record.unit && periodOf(one) === periodOf(other);

/** The values that a question sets side by side: of each part the first number of one unit, else the numbers of the one part. */
function comparedIn(parts: readonly (readonly Evidence[])[]): Evidence[] {
  const numbers = parts.map(part => part.filter(isNumeric)).filter(part => part.length > 0);
  const [first] = numbers;
  if (!first) return [];
  if (numbers.length === 1) {
    const [one] = first as [Evidence, ...Evidence[]];
    const other = first.slice(1).find(another => areComparable(one, another));
    return other ? [one, other] : [];
  }
  for (const one of first) {
    const others = numbers.slice(1).flatMap(part => part.find(another => areComparable(one, another)) ?? []);
    if (others.length > 0) return [one, ...others];
  }
  return [];
}

/**
 * Compares values of one unit when the question asks for it.
 * @param parts of each part of the question the fields with values, best first.
 * @returns null when there is nothing to compare.
 */
export function comparison(question: string, parts: readonly (readonly Evidence[])[]): Sentence | null {
  if (!COMPARES.test(question.normalize('NFKD').replace(/\p{M}/gu, ''))) return null;
  const numeric = comparedIn(parts);
  const value = ({ record }: Evidence) => Number(record.value);
  const isMore = ASKS_MORE.test(question.normalize('NFKD').replace(/\p{M}/gu, ''));
  const [first, ...others] = numeric.toSorted((a, b) => (isMore ? value(b) - value(a) : value(a) - value(b)));
  if (!first || others.length === 0) return null;
  const fields = [first, ...others].map(({ field }) => field);
  const isFar = isDistance(first.title);
  // In full, a distance would repeat the descriptions of its fields, which the check takes for theirs.
  const thing = (one: Evidence) => subjectOf(one).replace(/^the distance to /, '');
  if (others.every(one => value(one) === value(first)) && !isInSpanish(question))
    return {
      text: `${capital(thing(first))} and ${listed(others.map(thing))} are ${isFar ? 'as far as each other' : 'the same'}.`,
      fields,
    };
  if (value(others[0]!) === value(first)) return null;
  if (isInSpanish(question)) {
    const called = (one: Evidence) => spanishTitle({ name: one.field, title: one.title });
    const than = others.map(called);
    const bound = [first, ...others].some(isUpperBound) ? 'Hasta donde llega el mapa, ' : '';
    const list = than.length === 1 ? than[0]! : `${than.slice(0, -1).join(', ')} y ${than.at(-1)!}`;
    return { text: capital(`${bound}${called(first)} es ${isMore ? 'mayor' : 'menor'} que ${list}.`), fields };
  }
  // Of what lies beyond the map, the greater of two upper bounds may be the nearer.
  const mapped = [first, ...others].some(isUpperBound) ? 'As far as the map goes, ' : '';
  const text = `${mapped}${thing(first)} is ${isFar ? (isMore ? 'farther' : 'closer') : isMore ? 'higher' : 'lower'} than ${listed(others.map(thing))}.`;
  return { text: capital(text), fields };
}
