import type { Evidence, Sentence, Unsupported } from '../backend.ts';
import { folded, stemOf } from '../retrieval/words.ts';
import { type CitedNumber, isNumber, numbersIn } from './number.ts';
import { isOrdinary } from './ordinary.ts';

interface Sourced {
  readonly text: string;
  /** The same without names that somebody chose: nobody's name is the source of a number or a date. */
  readonly facts: string;
  readonly words: ReadonlySet<string>;
  readonly numbers: readonly CitedNumber[];
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const ISO_DATE = /\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?/g;
const WRITTEN_DATE = new RegExp(
  `\\b(${MONTHS.map(m => `${m.slice(0, 3)}(?:${m.slice(3)})?\\.?`).join('|')})\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`,
  'gi',
);
const QUOTATION = /[“"]([^”"]+)[”"]/g;
const ADDRESS = /\b(?:https?:\/\/|www\.)\S+|\b\S+@\S+\.\S+/g;
/** Letters and digits in one, with hyphens between: a flood zone, a wetland code, a route. */
const CODE = /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}-]*\p{N})(?=[\p{L}\p{N}-]*\p{L})[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu;
/** A number grown together with what it counts. */
const MEASURED = /^[\d,.]+(?:-(?:[a-z]+))+$|^[\d,.]+(?:kv|mw|km|m|ft|mi|mm|cm|th|st|nd|rd|f|c)$/i;
const CAPITALISED = /(?<![\p{L}\p{N}’'])\p{Lu}[\p{L}\p{N}&’'.-]*/gu;

const plain = (text: string): string =>
  folded(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Fields whose values are names that people chose. */
const CHOSEN = /_(?:name|owner|operator|manager|species)$/;

const textOf = ({ record: { value } }: Evidence): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** What a record and its field's definition say beside the value. */
function textsOf({ title, description, hint, record, area }: Evidence): string[] {
  const { notes, source, dataset_vintage, error } = record;
  return [title, description, hint, notes ?? '', source, dataset_vintage ?? '', error ?? '', ...area];
}

function sourcedIn(evidence: readonly Evidence[]): Sourced {
  const named = evidence.filter(({ field }) => CHOSEN.test(field));
  const texts = [...evidence.filter(one => !named.includes(one)).map(textOf), ...evidence.flatMap(textsOf)];
  const numbers: CitedNumber[] = evidence.flatMap(({ record }) =>
    typeof record.value === 'number' ? [{ value: record.value, unit: record.unit }] : [],
  );
  numbers.push(...texts.flatMap(text => numbersIn(text).map(({ value, unit }) => ({ value, unit }))));
  const facts = ` ${texts.map(plain).join(' ')} `;
  const text = `${facts}${named.map(one => plain(textOf(one))).join(' ')} `;
  const words = text.split(' ').flatMap(word => [word, stemOf(word)]);
  return { text, facts, words: new Set(words), numbers };
}

const says = (sourced: Sourced, text: string): boolean => sourced.text.includes(` ${plain(text)} `);
const states = (sourced: Sourced, text: string): boolean => sourced.facts.includes(` ${plain(text)} `);
const hasWord = (sourced: Sourced, word: string): boolean => {
  const bare = plain(word);
  return (
    says(sourced, word) || bare.split(' ').every(part => sourced.words.has(part) || sourced.words.has(stemOf(part)))
  );
};

function isoOf(match: RegExpMatchArray): string {
  const month = MONTHS.findIndex(name => name.startsWith(match[1]!.slice(0, 3).toLowerCase())) + 1;
  return `${match[3]}-${String(month).padStart(2, '0')}-${match[2]!.padStart(2, '0')}`;
}

/**
 * Whether every quotation, address, date, code, number and name of a sentence stands in a record that it cites. A number may be
 * rounded and in another unit (number.ts); one that stands in somebody's name is part of that name, inside quotation marks, and
 * supports no other. A record is its value, notes, source and vintage with what its field's definition
 * says. Words that anybody uses are no names.
 * @param evidence that may be cited.
 * @returns the first thing that was not found; null for a supported sentence.
 */
export function unsupportedIn(sentence: Sentence, evidence: readonly Evidence[]): Unsupported | null {
  const cited = evidence.filter(({ field }) => sentence.fields.includes(field));
  if (cited.length === 0) return { what: sentence.text.slice(0, 80), kind: 'citation' };
  const sourced = sourcedIn(cited);
  let rest = sentence.text;
  const take = (pattern: RegExp, kind: Unsupported['kind'], holds: (match: RegExpMatchArray) => boolean) => {
    const matches = [...rest.matchAll(pattern)];
    const wrong = matches.find(match => !holds(match));
    for (const match of matches) rest = rest.replace(match[0], ' ; ');
    return wrong ? { what: wrong[0], kind } : null;
  };
  const hasNumbers = (text: string) =>
    numbersIn(text).every(shown => sourced.numbers.some(number => isNumber(shown, number)));
  return (
    take(QUOTATION, 'quotation', match => says(sourced, match[1]!)) ??
    take(ADDRESS, 'address', match => says(sourced, match[0])) ??
    take(ISO_DATE, 'date', match => states(sourced, match[0].slice(0, 10))) ??
    take(WRITTEN_DATE, 'date', match => states(sourced, isoOf(match)) || states(sourced, match[0])) ??
    take(
      CODE,
      'code',
      match =>
        says(sourced, match[0]) ||
        (MEASURED.test(match[0]) && hasNumbers(match[0].replace(/-|(?<=\d)(?=[a-z])/gi, ' '))),
    ) ??
    numberNotIn(rest, sourced) ??
    take(CAPITALISED, 'name', match => {
      const name = match[0].replace(/[’']s$|[.’'-]+$/g, '');
      return isOrdinary(name, rest.slice(0, match.index).trim() === '') || hasWord(sourced, name);
    })
  );
}

function numberNotIn(text: string, sourced: Sourced): Unsupported | null {
  const wrong = numbersIn(text).find(shown => !sourced.numbers.some(number => isNumber(shown, number)));
  return wrong ? { what: wrong.written, kind: 'number' } : null;
}
