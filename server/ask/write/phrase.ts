import type { Evidence } from '../backend.ts';
import { converted, customaryUnit, roundedConversion, type Unit, unitWords, wantedUnit } from '../units.ts';

/** Most characters of a published text that an answer repeats. */
const MAX_TEXT = 200;
/** Decimals of a share in percent: as many as records have for a fraction. */
const PERCENT_DECIMALS = 2;

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

/** Writes a number with its unit. */
function measured(value: number, unit: string | null): string {
  if (unit === 'USD') return value < 0 ? `-$${withCommas(-value)}` : `$${withCommas(value)}`;
  if (unit?.startsWith('USD/')) return `$${withCommas(value)} ${unit === 'USD/year' ? 'a year' : 'per kWh'}`;
  if (unit === 'fraction') return `${withCommas(Number((value * 100).toFixed(PERCENT_DECIMALS)))} percent`;
  if (unit === 'percentile') return `${withCommas(value)} (a national percentile)`;
  const words = unitWords(unit);
  // Years and codes are not amounts.
  const number = unit === null ? String(value) : withCommas(value);
  return words === '' ? number : `${number} ${words}`;
}

/** A value in words. */
interface Said {
  readonly text: string;
  /** In brackets: the value before conversion, or its equivalent in American units. */
  readonly aside: string;
}

/** Writes a value with its own unit and the one that the question asks for or an American reader expects. */
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
    // Heights and depths are in feet, whatever their size.
    const usual = customary === 'mi' && !/distance/i.test(title) ? 'ft' : customary;
    return { text: said, aside: usual === null ? '' : ` (${inUnit(usual)})` };
  }
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no', aside: '' };
  if (typeof value === 'string') return { text: value.trim() === '' ? 'an empty text' : value, aside: '' };
  return { text: JSON.stringify(value), aside: '' };
}

/** The note of every made-up record. An answer says it once, at its end. */
const SYNTHETIC_NOTE = /(?:\b[\w ]+ \(\w+\): )?Synthetic data: [^.]*\.\s*/g;

/** The notes of a source without the one about made-up data; empty when there are none. */
export const notesSaid = (notes: string | null): string => (notes ?? '').replace(SYNTHETIC_NOTE, '').trim();

/** Why a record has no value: each reason once, without the names of inputs. */
export function reasonSaid(notes: string | null): string {
  const reasons = notesSaid(notes)
    .split(/(?<=\.)\s+/)
    .map(reason => reason.replace(/^(?:no .+?: )+/i, '').replace(/\.$/, ''));
  return [...new Set(reasons)].join('. ');
}

/** A text as the middle of a sentence: first letter small, unless it begins a name, and no full stop. */
export const goingOn = (text: string): string =>
  `${/^\p{Lu}\p{Ll}*\b(?![:_])/u.test(text) ? text[0]!.toLowerCase() : (text[0] ?? '')}${text.slice(1)}`.replace(
    /[\s.;:,]+$/,
    '',
  );

/** The sentence for a yes or no, from a description that begins with "Whether". */
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
