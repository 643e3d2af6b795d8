import type { Evidence } from '../backend.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const NAMES = MONTHS.map(month => `${month.slice(0, 3)}(?:${month.slice(3)})?\\.?`).join('|');
/** A day in words. */
export const WRITTEN_DATE = new RegExp(
  `\\b(?<month>${NAMES})\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?,?\\s+(?<year>\\d{4})\\b`,
  'gi',
);
/** A month of a year in words. */
export const MONTH_YEAR = new RegExp(`\\b(?<month>${NAMES})(?: of)?,?\\s+(?<year>\\d{4})\\b`, 'gi');

/** Words by which a date is that of a source, not of what a value tells. */
export const OF_SOURCE =
  /\b(?:as of|dat(?:a|es?|ed|ing)|vintage|edition|release[ds]?|survey(?:ed)?|map(?:s|ped)?|version|published|updated|source)\b/i;
const DATE = /\b\d{4}-\d{2}(?:-\d{2})?/g;
const RELATIONS: readonly (readonly [RegExp, (own: string, shown: string) => boolean])[] = [
  [/\b(?:before|prior to|earlier than|until)\s+$/i, (own, shown) => own < shown],
  [/\b(?:after|later than|following)\s+$/i, (own, shown) => own > shown && !own.startsWith(shown)],
  [/\bsince\s+$/i, (own, shown) => own >= shown],
];

function isoOf(match: RegExpMatchArray): string {
  const { month, day, year } = match.groups ?? {};
  if (!month) return match[0].slice(0, 10);
  const number = MONTHS.findIndex(name => name.startsWith(month.slice(0, 3).toLowerCase())) + 1;
  return [year, String(number).padStart(2, '0'), ...(day ? [day.padStart(2, '0')] : [])].join('-');
}

/** The dates in what a record says. Nobody's name is the source of one. */
function datesOf({ field, record: { value, notes } }: Evidence, chosen: RegExp): string[] {
  const texts = [typeof value === 'string' && !chosen.test(field) ? value : '', notes ?? ''];
  return texts.flatMap(text => [
    ...(text.match(DATE) ?? []),
    ...[...text.matchAll(WRITTEN_DATE), ...text.matchAll(MONTH_YEAR)].map(isoOf),
  ]);
}

/** Whether a date of a sentence, or the side of it that it names, is that of a cited record. @param chosen fields with names. */
export function dateHolds(match: RegExpMatchArray, cited: readonly Evidence[], chosen: RegExp): boolean {
  const shown = isoOf(match);
  const before = (match.input ?? '').slice(0, match.index);
  const relation = RELATIONS.find(([pattern]) => pattern.test(before))?.[1];
  const values = cited.flatMap(({ record: { value } }) =>
    typeof value === 'string' && /^\d{4}-\d{2}/.test(value) ? [value.slice(0, 10)] : [],
  );
  if (relation && values.length > 0) return values.some(own => relation(own, shown));
  const dates = cited.flatMap(one => datesOf(one, chosen));
  // Where a value is a date, that of the source is told as such.
  const vintages =
    values.length > 0 && !OF_SOURCE.test(match.input ?? '')
      ? []
      : cited.map(({ record }) => record.dataset_vintage ?? '');
  return [...dates, ...vintages].some(own => own.startsWith(shown));
}
