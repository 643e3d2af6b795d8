import type { Evidence } from '../backend.ts';
import { converted, customaryUnit, type Unit, unitWords, wantedUnit } from '../units.ts';

/** Most characters of a published text that an answer repeats. */
const MAX_TEXT = 120;
/** Least number of metres that is told in kilometers beside miles. */
const KILOMETRE = 1000;

/** Writes a number with thousands commas: at most two decimals, or four digits below one. */
export const withCommas = (value: number): string =>
  (Math.abs(value) >= 1 ? value : Number(value.toPrecision(4))).toLocaleString('en-US', {
    maximumFractionDigits: Math.abs(value) >= 1 ? 2 : 12,
    useGrouping: true,
  });

/** Puts a published text in quotation marks, on one line, without characters that could end them. */
export function quoted(text: string): string {
  const line = text
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(/[“”"]/g, "'")
    .trim();
  // Cut between words, because half a word may be another word.
  const cut =
    line.length <= MAX_TEXT ? line : `${line.slice(0, line.lastIndexOf(' ', MAX_TEXT) + 1 || MAX_TEXT).trim()}`;
  return `“${cut}”`;
}

/** As many digits as a reader can use: two, or all before the point. */
const sensible = (value: number): number => (Math.abs(value) >= 10 ? Math.round(value) : Number(value.toPrecision(2)));

/** Acres as surveyors give them. */
const hundredths = (value: number): number =>
  Math.abs(value) >= 100
    ? Math.round(value)
    : Math.abs(value) >= 1
      ? Number(value.toFixed(2))
      : Number(value.toPrecision(2));

/** The same for a distance. An upper bound is never told as less than it is. */
function distance(value: number, isBound: boolean): number {
  if (value === 0) return 0;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 1);
  const steps = value / step;
  return Number(((isBound ? Math.ceil(steps - 1e-9) : Math.round(steps)) * step).toPrecision(2));
}

/** Whether the source says that the value is an upper bound. */
export const isUpperBound = ({ record }: Pick<Evidence, 'record'>): boolean =>
  /\bupper bound\b/.test(record.notes ?? '');

/** Whether a title names a distance. */
export const isDistance = (title: string): boolean => /\bdistance\b/i.test(title);

/** Writes a number of the catalog with its unit. */
function measured(value: number, unit: string | null): string {
  if (unit === 'USD' || unit === 'USD/year') {
    const dollars = `${value < 0 ? '-' : ''}$${withCommas(Math.round(Math.abs(value)))}`;
    return unit === 'USD' ? dollars : `${dollars} a year`;
  }
  if (unit === 'USD/kWh') return `$${withCommas(sensible(value))} per kWh`;
  if (unit === 'fraction') return `${withCommas(sensible(value * 100))} percent`;
  if (unit === 'probability')
    return value > 0 && value <= 0.5 ? `1 in ${withCommas(distance(1 / value, false))} a year` : withCommas(value);
  if (unit === 'percentile') return `${withCommas(sensible(value))} (a national percentile)`;
  // Years and codes are not amounts.
  const number = unit === null ? String(value) : withCommas(Number.isInteger(value) ? value : sensible(value));
  const words = unitWords(unit, number);
  return words === '' ? number : `${number} ${words}`;
}

/** Metric units that a value in brackets would only repeat. */
const METRIC: ReadonlySet<string> = new Set(['m', 'km']);

/** A length as it stands in brackets beside feet or miles. */
function metric(value: number, unit: string | null, bound: boolean): string {
  const [own, into] = unit === 'm' && Math.abs(value) >= KILOMETRE ? [value / KILOMETRE, 'km'] : [value, unit];
  return measured(bound ? distance(own, bound) : own, into);
}

/** A value in words. */
interface Said {
  readonly text: string;
  /** In brackets: the same in the unit of the record. */
  readonly aside: string;
}

/** Writes a number in the unit that the clause asks for, else in the one that an American reader expects. */
function numberSaid(value: number, { record, title }: Pick<Evidence, 'record' | 'title'>, clause: string): Said {
  const { unit } = record;
  const inUnit = (into: Unit, figures: (number: number) => number) => {
    const number = withCommas(figures(converted(value, unit, into)!));
    return `${number} ${unitWords(into, number)}`;
  };
  const wanted = unit === 'fraction' ? null : wantedUnit(unit, value, clause);
  const bound = isUpperBound({ record });
  if (wanted !== null) {
    const figures = (number: number) =>
      isDistance(title) ? distance(number, bound) : wanted === 'acres' ? hundredths(number) : sensible(number);
    const text = inUnit(wanted, figures);
    return { text, aside: METRIC.has(wanted) ? '' : ` (${metric(value, unit, bound)})` };
  }
  const customary = customaryUnit(unit, value, clause);
  // A meter of the record is asked for by name.
  if (customary === null) return { text: measured(value, unit), aside: '' };
  // Heights and depths are in feet, whatever their size.
  const usual = customary === 'mi' && !isDistance(title) ? 'ft' : customary;
  return {
    text: inUnit(usual, isDistance(title) ? number => distance(number, bound) : sensible),
    aside: ` (${metric(value, unit, bound)})`,
  };
}

/** A day of a record as people write it; any other text as it is. */
export function dateSaid(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? text : day.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}

/** Writes a value with its unit. @param clause the part of the question that it answers. */
export function valueSaid(one: Pick<Evidence, 'record' | 'title'>, clause: string): Said {
  const { value } = one.record;
  if (typeof value === 'number') {
    const said = numberSaid(value, one, clause);
    return isUpperBound(one as Evidence) ? { ...said, text: `at most ${said.text}` } : said;
  }
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no', aside: '' };
  if (typeof value === 'string') return { text: value.trim() === '' ? 'an empty text' : dateSaid(value), aside: '' };
  return { text: JSON.stringify(value), aside: '' };
}

/** The note of every made-up record. An answer says it once, at its end. */
const SYNTHETIC_NOTE = /(?:\b[\w ]+ \(\w+\): )?Synthetic data: [^.]*\.\s*/g;
/** What stands in brackets for programs: names of products, layers and columns. */
const FOR_PROGRAMS = / \((?:[A-Za-z]\w*(?::\w+)?)\)|(?: that are asked for)? \(by [^)]*\)/g;

/** The notes of a source without the one about made-up data; empty when there are none. */
const notesSaid = (notes: string | null): string => (notes ?? '').replace(SYNTHETIC_NOTE, '').trim();

/** A text without the names that only programs use. */
export const forReaders = (text: string): string =>
  text.replace(FOR_PROGRAMS, '').replace(/\b\w*_\w+(?::\w+)?/g, name => name.replace(/[_:]+/g, ' ').trim());

/** The source of a record by its name, without underscores: programs read the identifier in the citations. */
export const sourceSaid = ({ record }: Pick<Evidence, 'record'>): string =>
  quoted(record.source.replace(/[_:]+/g, ' ').toUpperCase());

/** Why a record has no value: the first reason, without the names of inputs. */
export function reasonSaid(notes: string | null): string {
  const [first = ''] = forReaders(notesSaid(notes)).split(/(?<=\.)\s+/);
  return first.replace(/^(?:no .+?: )+/i, '').replace(/\.$/, '');
}

/** A text as the middle of a sentence: first letter small, unless it begins a name, and no full stop. */
export const goingOn = (text: string): string =>
  `${/^\p{Lu}\p{Ll}*\b(?![:_])/u.test(text) ? text[0]!.toLowerCase() : (text[0] ?? '')}${text.slice(1)}`.replace(
    /[\s.;:,]+$/,
    '',
  );

/** The beginning of a sentence. */
export const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`;

/** Things in a row. */
export const listed = (items: readonly string[], and = 'and'): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${and} ${items.at(-1)}`;

/** How many words a text has. */
export const wordCount = (text: string): number => text.split(/\s+/).filter(Boolean).length;
