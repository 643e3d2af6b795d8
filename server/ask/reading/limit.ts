import { type PlacedNumber, placedNumbers } from '../check/number.ts';
import { relationOf } from '../check/relation.ts';
import { unitAt } from '../units.ts';
import { inEnglishAmounts } from './spanish.ts';

/** A number that a clause holds its value against. */
export interface Limit {
  readonly relation: 'more' | 'less' | 'least' | 'most';
  readonly value: number;
  /** Null where none is named: a count, or the unit of the value. */
  readonly unit: string | null;
  /** As the clause writes it, from the comparison to the unit. */
  readonly written: string;
  /** The clause without it. A comparative that names a matter stays, such as steeper. */
  readonly rest: string;
}

/** The comparison before a number, up to the number. A radius or a year that a value reaches to is no limit. */
const LEAD =
  /(?:\b(?:not |no )?(?:\p{L}+er|more|less|fewer|worse) than|\b(?:at (?:least|most|the most)|(?<!averag\p{L}* |mean |spread |within |all )over|above|under|below|beneath|exceed(?:s|ed|ing)?|up to|in excess of|upwards? of|a (?:maximum|minimum) of))\s+(?:about |roughly |around |a |an |the |that of )*\$?\s*$/iu;
const FOLLOWED =
  /^\s*(?:[\p{L}%²]+(?: (?:feet|miles|meters))?\s+)?(?:or|and) (?:more|less|fewer|(?<!averag\p{L}* |mean |spread |within |all )over|above|under|up|\p{L}+er)\b/iu;
/** What every limit has a word of, so that most clauses are read no further. */
const COMPARES =
  /\b(?:than|over|above|under|below|beneath|exceed\w*|least|most|up to|excess|upwards?|maximum|minimum|or|and|m[aá]s|menos|mayor(?:es)?|menor(?:es)?|superan?|encima|debajo|m[ií]nimo|m[aá]ximo|a lo sumo|hasta|inferior)\b/i;
const COMPARATIVE = /\b(?!more|less|fewer|over|under|other)(\p{L}+er)\b/iu;
/** What leads from a share to the thing of which it is one. */
const OF = /^\s+of\b(?: (?:the|it|this|that)\b(?= \p{L}))?/u;

/** Number words in digits, and shares as people write them: fields are called by digits. */
export function inDigits(text: string): string {
  let rest = inEnglishAmounts(text).replace(/\bper ?cent\b/gi, 'percent');
  for (const { written, value, start, unit, among } of placedNumbers(rest).reverse())
    if (
      among === undefined &&
      unit !== 'fraction' &&
      /^\p{L}/u.test(written) &&
      Number.isInteger(value) &&
      !/^an?$|^one$/i.test(written)
    )
      rest = `${rest.slice(0, start)}${value}${rest.slice(start + written.length)}`;
  return rest;
}

const lengthOfUnit = (behind: string): number => {
  const unit = unitAt(behind);
  if (unit === null) return 0;
  for (let end = 1; end <= behind.length; end++)
    if (unitAt(behind.slice(0, end)) === unit && !/^[\p{L}%.]/u.test(behind.slice(end))) return end;
  return 0;
};

function limitAt(text: string, number: PlacedNumber): Limit | null {
  const before = text.slice(0, number.start);
  const lead = LEAD.exec(before)?.[0] ?? '';
  const behind = text.slice(number.end);
  const follows = FOLLOWED.exec(behind)?.[0] ?? '';
  if (lead === '' && follows === '') return null;
  const relation = relationOf(text, number);
  if (relation === 'equal') return null;
  const end = number.end + Math.max(follows.length, lengthOfUnit(behind));
  const [from, to] = [number.start - lead.length, end + (OF.exec(text.slice(end))?.[0].length ?? 0)];
  const [, comparative = ''] = COMPARATIVE.exec(`${lead} ${follows}`) ?? [];
  return {
    relation,
    value: number.value,
    unit: number.unit,
    written: text.slice(from, to).trim(),
    rest: `${text.slice(0, from)} ${comparative} ${text.slice(to)}`.replace(/\s+/g, ' ').trim(),
  };
}

/** The number that a clause holds its value against, in words, digits, a share or a ratio; null for none. */
export function limitIn(clause: string): Limit | null {
  if (!COMPARES.test(clause)) return null;
  const text = inEnglishAmounts(clause);
  for (const number of placedNumbers(text)) {
    const limit = limitAt(text, number);
    if (limit) return limit;
  }
  return null;
}
