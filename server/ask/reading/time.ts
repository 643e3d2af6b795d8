import { folded } from '../retrieval/words.ts';
import type { Segment } from './segments.ts';
import { SPANISH_TIME } from './spanish.ts';

/** A time other than today that a segment asks about. */
export interface OtherTime {
  readonly written: string;
  /** Null where it is not said by its year. */
  readonly year: number | null;
}

/** What makes a year the beginning or the end of a span that reaches today. */
const SINCE = /\b(?:since|from|after|desde)\s+$/i;
/** Words before a year that make of it a name or a number: a magnitude, a code, an edition. */
const OF_A_NAME =
  /\b(?:the|tract|zip|code|number|no|census|version|edition|navd|model year|rule|act|section|route|under|over|above|below|than)\s+$/i;

/** Times that are said by how far off they are. "Within 10 years" and "in the last ten years" reach today. */
const RELATIVE = [
  '#Value (years|decades|centuries) (ago|earlier)',
  '(a|several|some|many|few) (year|years|decade|decades|century|centuries) ago',
  'last (decade|century)',
  'yesterday',
  'in the (fifties|sixties|seventies|eighties|nineties)',
  'in #Value (years|decades)',
  '#Value (years|decades) from now',
  'next (year|month|week|decade|summer|winter|spring|century)',
  'tomorrow',
  'in the (near|distant)? future',
] as const;

/** A chance or a storm is told over years without being of another time. */
const ODDS =
  /\b(?:how many|number of)\b(?!.*\b(?:will|would|expect\p{L}*|project\p{L}*)\b).*\bin (?:the (?:last|past) )?\p{L}+ (?:years|decades)\b|\b(?:declared|recorded|reported|filed|happened|had|been)\b.*\bin (?:the (?:last|past) )?\p{L}+ (?:years|decades)\b|\b(?:percent|chance|probability|once|odds) in\b|% in\b/iu;

const SPANISH = new RegExp(`\\b(?:${SPANISH_TIME.past}|${SPANISH_TIME.future})\\b`, 'u');

/** The time other than today that a segment asks about; null for none. */
export function otherTimeIn({ text, tagged }: Segment): OtherTime | null {
  for (const { text: written } of tagged.match('#Year').json() as readonly { text: string }[]) {
    const year = /\b(?:1[6-9]|20|21)\d\d\b/.exec(written)?.[0];
    if (year === undefined) continue;
    const before = text.slice(0, text.indexOf(year));
    if (SINCE.test(before) || OF_A_NAME.test(before)) continue;
    return { written: year, year: Number(year) };
  }
  const decade = /\b(?:1[6-9]|20)\d0'?s\b/.exec(text)?.[0];
  if (decade !== undefined && !SINCE.test(text.slice(0, text.indexOf(decade)).replace(/\bthe\s+$/, '')))
    return { written: decade, year: Number.parseInt(decade, 10) };
  const spanishYear = /\b(?:en|durante|del?(?: ano)?) ((?:1[6-9]|20)\d\d)\b(?! (?:pies|metros|millas|acres))/.exec(
    folded(text),
  )?.[1];
  if (spanishYear !== undefined) return { written: spanishYear, year: Number(spanishYear) };
  for (const pattern of RELATIVE) {
    const match = tagged.match(pattern);
    if (match.found && !ODDS.test(text)) return { written: match.first().text('normal'), year: null };
  }
  const spanish = SPANISH.exec(folded(text))?.[0];
  return spanish === undefined ? null : { written: spanish, year: null };
}
