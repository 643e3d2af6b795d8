import type { Evidence } from '../backend.ts';
import { converted, roundedConversion, type Unit, unitWords, wantedUnit } from '../units.ts';

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

/** Names of people and things in a title that keep their capital. */
const PROPER = /^(?:Great Lakes|Koppen|Quaternary|Superfund|Magnitude 4)/;

/** A title inside a sentence: its first letter small unless it begins a name or an abbreviation. */
export function inSentence(title: string): string {
  const [first = ''] = title.split(/[\s-]/);
  const keeps = PROPER.test(title) || /\p{Lu}.*\p{Lu}/u.test(first) || /\d/.test(first);
  return keeps ? title : title[0]!.toLowerCase() + title.slice(1);
}

/** A title as the subject of a sentence: the unit that it repeats in brackets left out. */
export const subjectOf = ({ title }: Pick<Evidence, 'title'>): string =>
  `the ${inSentence(title.replace(/ \((?:degrees|percent|cardinal direction)\)$/, ''))}`;

/** How a number is said with its unit. */
function measured(value: number, unit: string | null): string {
  if (unit === 'USD') return value < 0 ? `-$${withCommas(-value)}` : `$${withCommas(value)}`;
  if (unit?.startsWith('USD/')) return `$${withCommas(value)} ${unit === 'USD/year' ? 'a year' : 'per kWh'}`;
  if (unit === 'fraction') return `${withCommas(Number((value * 100).toFixed(PERCENT_DECIMALS)))} percent`;
  if (unit === 'percentile') return `${withCommas(value)} as a national percentile`;
  const words = unitWords(unit);
  // Years and codes are no amounts.
  const number = unit === null ? String(value) : withCommas(value);
  return words === '' ? number : `${number} ${words}`;
}

/** A value in words, and the unit it was converted to because the question asks for it. */
export function valueSaid(
  { record }: Evidence,
  question: string,
): { readonly text: string; readonly into: Unit | null } {
  const { value, unit } = record;
  if (typeof value === 'number') {
    const into = wantedUnit(unit, value, question);
    const said = measured(value, unit);
    if (into === null || unit === 'fraction') return { text: said, into: null };
    const number = roundedConversion(converted(value, unit, into)!);
    return { text: `${withCommas(number)} ${unitWords(into)} (converted from ${said})`, into };
  }
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no', into: null };
  if (typeof value === 'string') return { text: value.trim() === '' ? 'an empty text' : value, into: null };
  return { text: JSON.stringify(value), into: null };
}

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
