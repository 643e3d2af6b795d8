import type { Catalog } from '../../../datasets/catalog.ts';
import { closedListOf } from '../../../datasets/closed-list.ts';
import type { Evidence, Sentence, Unsupported } from '../backend.ts';
import { folded, stemOf } from '../retrieval/words.ts';
import { CHOSEN, wrongAmount } from './amount.ts';
import { wrongClass } from './class.ts';
import { clausesOf, normalized } from './clauses.ts';
import { Matters, remarksOf } from './matter.ts';
import { numbersIn } from './number.ts';
import { isOrdinary } from './ordinary.ts';
import { deniedCount, deniedFlag } from './polarity.ts';
import { claimInEnglish, withEnglishLimits } from './spanish.ts';
import { dateHolds, MONTH_YEAR, WRITTEN_DATE } from './time.ts';

interface Sourced {
  readonly text: string;
  /** The same without names that somebody chose: nobody's name is the source of a number or a date. */
  readonly facts: string;
  readonly words: ReadonlySet<string>;
}

const ISO_DATE = /\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?/g;
const QUOTATION = /[“"]([^”"]+)[”"]/g;
const ADDRESS = /\b(?:https?:\/\/|www\.)\S+|\b\S+@\S+\.\S+/g;
/** Letters and digits in one, with hyphens between: a flood zone, a wetland code, a route. */
const CODE = /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}-]*\p{N})(?=[\p{L}\p{N}-]*\p{L})[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu;
/** Between a number and the word or unit that it has grown together with, such as `100-year` or `12kV`. */
const MEASURED =
  /(?<=(?<![\p{L}\p{N}-])[\d,]*\d(?:\.\d+)?)-?(?=(?:kv|mw|km|m|ft|mi|mm|cm|f|c)(?![\p{L}\p{N}]))|(?<=(?<![\p{L}\p{N}-])[\d,]*\d(?:\.\d+)?)-(?=\p{L}{3,})|(?<=(?<![\p{L}\p{N}])\p{Ll}{2,})-(?=\d)/gu;
/** What stands for words that were judged already. */
const TAKEN = ' … ';
const CAPITALISED = /(?<![\p{L}\p{N}'°]|° )\p{Lu}[\p{L}\p{N}&'.-]*/gu;

const plain = (text: string): string =>
  folded(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const textOf = ({ record: { value } }: Evidence): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** What a record and its field's definition say beside the value. */
function textsOf({ title, description, hint, record, area }: Evidence): string[] {
  const { notes, source, dataset_vintage, error } = record;
  return [title, description, hint, notes ?? '', source, dataset_vintage ?? '', error ?? '', ...area];
}

function sourcedIn(evidence: readonly Evidence[]): Sourced {
  const named = evidence.filter(({ field }) => CHOSEN.test(field));
  const texts = [...evidence.filter(one => !named.includes(one)).map(textOf), ...evidence.flatMap(textsOf)].map(
    normalized,
  );
  const facts = ` ${texts.map(plain).join(' ')} `;
  const text = `${facts}${named.map(one => plain(normalized(textOf(one)))).join(' ')} `;
  const words = text.split(' ').flatMap(word => [word, stemOf(word)]);
  return { text, facts, words: new Set(words) };
}

const says = (sourced: Sourced, text: string): boolean => sourced.text.includes(` ${plain(text)} `);
const hasWord = (sourced: Sourced, word: string): boolean => {
  const bare = plain(word);
  return (
    says(sourced, word) || bare.split(' ').every(part => sourced.words.has(part) || sourced.words.has(stemOf(part)))
  );
};

/** Fewest words of a remark that a sentence may repeat as they stand. */
const REPEATED = 4;

/** A sentence without the remarks of its records that it repeats word by word, and without identifiers of sources. */
function ownWords(text: string, cited: readonly Evidence[]): string {
  let rest = text;
  const without = (piece: string) => {
    const start = rest.toLowerCase().indexOf(piece.toLowerCase());
    if (start >= 0) rest = `${rest.slice(0, start)} ; ${rest.slice(start + piece.length)}`;
  };
  const answered = (piece: string) => piece.replace(/\bfalse\b/, 'a no').replace(/\btrue\b/, 'a yes');
  for (const one of cited) {
    const { value, source } = one.record;
    for (const [aside] of normalized(one.description).matchAll(/\([^)]*\)/g)) without(aside);
    for (const remark of remarksOf(one)) {
      const [, answer, said = remark] = /^(true|false)\b\s*(.*)$/i.exec(remark) ?? [];
      const isOther = answer !== undefined && typeof value === 'boolean' && /true/i.test(answer) !== value;
      const piece = said.replace(/[\s.;:?!]+$/, '');
      if (!isOther && !/^Whether\b/i.test(piece) && piece.split(' ').length >= REPEATED) without(answered(piece));
    }
    if (one.standing) without(one.standing.text);
    for (const name of [source, ...source.split(':')]) if (/\d/.test(name)) without(name);
  }
  return rest;
}

/**
 * Finds what in a sentence the records that it cites do not support. Every quotation, address, date, code, number and name must
 * stand in one of them: a number rounded, or in another unit, and where it is the value's or in the same matter. What the sentence
 * says of the values must hold: yes or no, more or less than a number, above or below, before or after, the class and the letter of
 * a zone, the order of two values. Words that anybody uses are no names. What stands in somebody's name is part of that name and
 * supports nothing else.
 * @param evidence that may be cited.
 * @param catalog tells which other classes a field could have; without it they are not looked for.
 * @returns the first thing that was not supported; null for a supported sentence.
 */
export function unsupportedIn(
  sentence: Sentence,
  evidence: readonly Evidence[],
  catalog?: Catalog,
): Unsupported | null {
  const cited = evidence.filter(({ field }) => sentence.fields.includes(field));
  if (cited.length === 0) return { what: sentence.text.slice(0, 80), kind: 'citation' };
  const sourced = sourcedIn(cited);
  const whole = ownWords(withEnglishLimits(normalized(sentence.text)), cited);
  let rest = whole;
  const take = (pattern: RegExp, kind: Unsupported['kind'], holds: (match: RegExpMatchArray) => boolean) => {
    const matches = [...rest.matchAll(pattern)];
    const wrong = matches.find(match => !holds(match));
    for (const match of matches) rest = rest.replace(match[0], TAKEN);
    return wrong ? { what: wrong[0], kind } : null;
  };
  const values = (field: string) => {
    const definition = catalog?.fields.get(field);
    return definition ? (closedListOf(catalog!, definition) ?? []).map(String) : [];
  };
  const matters = new Matters(cited);
  const lettered = new Set(
    cited.flatMap(one => `${textOf(one)} ${one.title} ${one.record.notes ?? ''}`.split(/[^\p{L}\p{N}]+/u)),
  );
  const strange =
    take(QUOTATION, 'quotation', match => says(sourced, match[1]!)) ??
    take(ADDRESS, 'address', match => says(sourced, match[0])) ??
    take(ISO_DATE, 'date', match => dateHolds(match, cited, CHOSEN)) ??
    take(WRITTEN_DATE, 'date', match => dateHolds(match, cited, CHOSEN)) ??
    take(MONTH_YEAR, 'date', match => dateHolds(match, cited, CHOSEN));
  if (strange) return strange;
  const claims = clausesOf(claimInEnglish(rest) ?? rest);
  // A published code of digits, such as the number of a parcel, is said as it stands.
  for (const one of cited) {
    const { value } = one.record;
    if (typeof value === 'string' && !CHOSEN.test(one.field) && /\d/.test(value) && /[^\d.\s]/.test(value))
      rest = rest.replaceAll(normalized(value), TAKEN);
  }
  rest = rest.replace(MEASURED, ' ');
  return (
    take(CODE, 'code', match => says(sourced, match[0])) ??
    wrongAmount(clausesOf(rest), cited, matters) ??
    take(CAPITALISED, 'name', match => {
      const name = match[0].replace(/'(?:s|re|ve|ll|d|m|t)$|[.'-]+$/g, '');
      const isFirst = /(?:^|;)\s*$/.test(rest.slice(0, match.index));
      if (/^[B-HJ-Z]$/.test(name)) return lettered.has(name);
      return isOrdinary(name, isFirst) || numbersIn(name).length > 0 || hasWord(sourced, name);
    }) ??
    wrongClass(clausesOf(whole), cited, values) ??
    deniedFlag(claims, cited) ??
    deniedCount(claims, cited)
  );
}
