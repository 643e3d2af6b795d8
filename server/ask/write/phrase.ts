import type { Evidence } from '../backend.ts';
import { converted, customaryUnit, roundedConversion, type Unit, unitWords, wantedUnit } from '../units.ts';

/** Characters of a published text that an answer repeats. */
const MAX_TEXT = 200;
/** Decimals of a share as percent: as many as records have of a fraction. */
const PERCENT_DECIMALS = 2;

/** A number with commas of thousands: two decimals at most, of what is less than one four digits. */
export const withCommas = (value: number): string =>
  (Math.abs(value) >= 1 ? value : Number(value.toPrecision(4))).toLocaleString('en-US', {
    maximumFractionDigits: Math.abs(value) >= 1 ? 2 : 12,
    useGrouping: true,
  });

/** A published text inside quotation marks, on one line, without what could end them. */
export function quoted(text: string): string {
  const line = text
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(/[“”"]/g, "'")
    .trim();
  // Cut at a word: half a word would be another one.
  const cut =
    line.length <= MAX_TEXT ? line : `${line.slice(0, line.lastIndexOf(' ', MAX_TEXT) + 1 || MAX_TEXT).trim()}`;
  return `“${cut}”`;
}

/** How a number is said with its unit. */
function measured(value: number, unit: string | null): string {
  if (unit === 'USD') return value < 0 ? `-$${withCommas(-value)}` : `$${withCommas(value)}`;
  if (unit?.startsWith('USD/')) return `$${withCommas(value)} ${unit === 'USD/year' ? 'a year' : 'per kWh'}`;
  if (unit === 'fraction') return `${withCommas(Number((value * 100).toFixed(PERCENT_DECIMALS)))} percent`;
  if (unit === 'percentile') return `${withCommas(value)} (a national percentile)`;
  const words = unitWords(unit);
  // Years and codes are no amounts.
  const number = unit === null ? String(value) : withCommas(value);
  return words === '' ? number : `${number} ${words}`;
}

/** A value in words. */
interface Said {
  readonly text: string;
  /** What it was converted from because the question asks for another unit, or its like in American units; in brackets. */
  readonly aside: string;
}

/** A value in words, with its own unit and the one that the question or an American reader wants. */
export function valueSaid({ record, title }: Pick<Evidence, 'record' | 'title'>, question: string): Said {
  const { value, unit } = record;
  if (typeof value === 'number') {
    const said = measured(value, unit);
    const inUnit = (into: Unit) => {
      const number = roundedConversion(converted(value, unit, into)!);
      return `${withCommas(number)} ${unitWords(into)}`;
    };
    const wanted = unit === 'fraction' ? null : wantedUnit(unit, value, question);
    if (wanted !== null) return { text: inUnit(wanted), aside: ` (converted from ${said})` };
    const customary = customaryUnit(unit, value, question);
    // Heights and depths are told in feet, however large.
    const usual = customary === 'mi' && !/distance/i.test(title) ? 'ft' : customary;
    return { text: said, aside: usual === null ? '' : ` (${inUnit(usual)})` };
  }
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no', aside: '' };
  if (typeof value === 'string') return { text: value.trim() === '' ? 'an empty text' : value, aside: '' };
  return { text: JSON.stringify(value), aside: '' };
}

/** What stands in the notes of every made-up record; an answer says it once, at its end. */
const SYNTHETIC_NOTE = /(?:\b\w+: )?Synthetic data: [^.]*\.\s*/g;

/** What a source notes beside its being made up; empty for nothing. */
export const notesSaid = (notes: string | null): string => (notes ?? '').replace(SYNTHETIC_NOTE, '').trim();

/** Why a record has no value: each reason once, without the inputs of a calculation that each belongs to. */
export function reasonSaid(notes: string | null): string {
  const reasons = notesSaid(notes)
    .split(/(?<=\.)\s+/)
    .map(reason => reason.replace(/^(?:no [a-z]\w*: )+/i, '').replace(/\.$/, ''));
  return [...new Set(reasons)].join('. ');
}

/** A text that goes on inside a sentence: its first letter small, unless it begins a name, and without a full stop. */
export const goingOn = (text: string): string =>
  `${/^\p{Lu}\p{Ll}*\b(?![:_])/u.test(text) ? text[0]!.toLowerCase() : (text[0] ?? '')}${text.slice(1)}`.replace(
    /[\s.;:,]+$/,
    '',
  );

/** The sentence of a yes or no, made of a description that begins with Whether. */
export function yesOrNo(description: string, value: boolean): string {
  const [claim = ''] = description.replace(/^Whether /, '').split(/\.(?:\s|$)/);
  const yes = `${claim[0]!.toUpperCase()}${claim.slice(1)}.`;
  if (value) return yes;
  const none = yes.replace(/^Any /, 'No ').replace(/^A mapped /, 'No mapped ');
  if (none !== yes) return none;
  return yes
    .replace(/\bqualifies or adjoins\b/, 'neither qualifies nor adjoins')
    .replace(/^((?:\w+ ){1,3}?)(falls|qualifies|covers|lies)\b/, (_, subject: string, verb: string) => {
      const base = verb === 'qualifies' ? 'qualify' : verb.slice(0, -1);
      return `${subject}does not ${base}`;
    });
}
