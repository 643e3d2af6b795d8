const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const YEAR = '((?:19|20)\\d{2})';
/** `2013`, `2013-02`, `2013-02-14`; `20130214`; `August 2016`, `14 Feb. 2016`, `Feb 14, 2016`; `2024 Q2`. */
const ISO = new RegExp(`(?<!\\d)${YEAR}(?:-(\\d{2})(?:-(\\d{2}))?)?(?!\\d)`, 'g');
const COMPACT = new RegExp(`(?<!\\d)${YEAR}(\\d{2})(\\d{2})(?!\\d)`, 'g');
const NAMED = new RegExp(`\\b([A-Za-z]{3})[a-z]*\\.? (?:(\\d{1,2}),? )?${YEAR}(?!\\d)`, 'g');
const QUARTER = new RegExp(`(?<!\\d)${YEAR}[ -]?Q([1-4])\\b`, 'g');

/** The first and the last day of a date that may be a month or a year, as YYYYMMDD. */
type Span = readonly [first: number, last: number];

function span(year: string, first?: number, last = first, day?: number): Span {
  const y = Number(year) * 10_000;
  if (first === undefined || last === undefined || first < 1 || last > 12) return [y + 101, y + 1231];
  return [y + first * 100 + (day ?? 1), y + last * 100 + (day ?? 31)];
}

const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** Returns the latest date in a text, the most precise of those with the same beginning; null if it names no year. */
function latestOf(text: string): Span | null {
  const spans = [
    ...[...text.matchAll(ISO)].map(([, y, m, d]) => span(y!, number(m), number(m), number(d))),
    ...[...text.matchAll(COMPACT)].map(([, y, m, d]) => span(y!, number(m), number(m), number(d))),
    ...[...text.matchAll(NAMED)].flatMap(([, name, d, y]) => {
      const month = MONTHS.indexOf(name!.toLowerCase()) + 1;
      return month > 0 ? [span(y!, month, month, number(d))] : [];
    }),
    ...[...text.matchAll(QUARTER)].map(([, y, q]) => span(y!, Number(q) * 3 - 2, Number(q) * 3)),
  ];
  const [latest] = spans.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  return latest ?? null;
}

/** Whether a vintage is certainly older than another: its latest possible day lies before the earliest of the other. */
export function isOlder(vintage: string, than: string): boolean {
  const [a, b] = [latestOf(vintage), latestOf(than)];
  return a !== null && b !== null && a[1] < b[0];
}
