import type { Evidence, Unsupported } from '../backend.ts';
import { folded, stemOf } from '../retrieval/words.ts';
import { type Clause, denials, isSupposed, mattersOf, normalized, shared } from './clauses.ts';
import { claimOf, type Matters, remarksOf } from './matter.ts';
import { type CitedNumber, inShownUnit, isNumber, type PlacedNumber, placedNumbers } from './number.ts';
import { holds, relationOf, saysDown, twoSided, wayOf } from './relation.ts';
import { OF_SOURCE } from './time.ts';

/** Fields whose values are names that people chose: nobody's name is the source of a number. */
export const CHOSEN = /_(?:name|owner|operator|manager|species)$/;

const YEAR = /^(?:1[5-9]|20|21)\d\d$/;

/** What a record's value is as a number: an amount, a year, or a code of digits. */
function amountOf({ field, record: { value, unit, status } }: Evidence): CitedNumber | null {
  if (status !== 'ok') return null;
  if (typeof value === 'number') return { value, unit };
  if (typeof value !== 'string' || CHOSEN.test(field)) return null;
  if (/^\d{4}-\d{2}-\d{2}/.test(value)) return { value: Number(value.slice(0, 4)), unit: 'year' };
  return /^-?\d+(?:\.\d+)?$/.test(value) ? { value: Number(value), unit: null } : null;
}

/** Whether a field measures downward, as a depth does. */
const isDepth = (one: Evidence): boolean =>
  /\b(?:depth|deep|below|under|beneath|lower|down|decrease|loss)\b/i.test(`${one.title} ${claimOf(one)}`);
/** Whether a field says how something has changed. */
const isChange = ({ title, description }: Evidence): boolean =>
  /\b(?:change|growth|difference|trend|gain)\b/i.test(`${title} ${description}`);

const SOURCE =
  /\b(?:as of|dat(?:a|es?|ed|ing)|vintage|edition|release[ds]?|survey(?:ed)?|map(?:s|ped)?|version|published|updated|census|source|records?|datos|by|from|in|of|for)\b/i;
const wordBefore = (text: string): string =>
  /([\p{L}\d]+)[\s$-]*(?:(?:a|an|the|about)\s+)*$/u.exec(folded(text))?.[1] ?? '';
const wordAfter = (text: string): string => stemOf(/^[\s%-]*([\p{L}]+)/u.exec(folded(text))?.[1] ?? '');

/** Whether a number is part of what the field is called, such as a radius or the years of a storm. */
function isCalledSo(clause: string, shown: PlacedNumber, { title, description, record }: Evidence): boolean {
  return [title, description].map(normalized).some(text =>
    placedNumbers(text).some(own => {
      if (own.unit !== shown.unit || Math.abs(own.value - shown.value) > 1e-9 * Math.abs(own.value)) {
        // A radius may be told in another unit.
        const other = shown.unit === null ? null : inShownUnit(shown, own);
        if (other === null || own.unit === null || !isNumber(shown, own)) return false;
      }
      // A number of another measure than the value cannot be taken for it.
      if (own.unit !== null && inShownUnit({ unit: own.unit }, { value: 0, unit: record.unit }) === null) return true;
      const [before, after] = [wordBefore(clause.slice(0, shown.start)), wordAfter(clause.slice(shown.end))];
      return (
        (before !== '' && before === wordBefore(text.slice(0, own.start))) ||
        (after !== '' && after === wordAfter(text.slice(own.end)))
      );
    }),
  );
}

/** Whether what a record remarks on its value has a number in the same matter. */
function isRemarked(clause: string, shown: PlacedNumber, one: Evidence): boolean {
  const words = mattersOf(clause);
  const called = mattersOf(`${one.title} ${claimOf(one)}`);
  const own = new Set([...words].filter(word => !called.has(word)));
  return remarksOf(one).some(remark => {
    const same = shared(words, mattersOf(remark));
    if (same < Math.max(1, words.size / 2) || shared(own, mattersOf(remark)) === 0) return false;
    return placedNumbers(remark).some(
      number => (number.unit === null) === (shown.unit === null) && isNumber(shown, number),
    );
  });
}

/** Whether a year tells of the source. */
function isYearOfSource(clause: string, { value, start, unit }: PlacedNumber, cited: readonly Evidence[]): boolean {
  if (unit !== null || !YEAR.test(String(value))) return false;
  const dated = cited.some(one => amountOf(one)?.unit === 'year' || /year|date/.test(one.field));
  const before = clause.slice(0, start);
  if (
    !(dated
      ? OF_SOURCE.test(clause)
      : new RegExp(`${SOURCE.source}\\W*(?:the |year |\\w+ )?$`, 'i').test(before) || OF_SOURCE.test(clause))
  )
    return false;
  return cited.some(({ record }) =>
    [record.dataset_vintage, record.fetched_at, record.notes].some(text => text?.includes(String(value))),
  );
}

/** What a percentile says when it is told as a share of all others. */
const OTHERS = /^\s*(?:%|percent|per cent)?\s*of (?:all |the |other |us |u\.s\. |american |national )*[\p{L}]+/iu;

/** Units of shares, whose rest is what the share is denied of. */
const SHARES = new Set(['fraction', 'percent', 'probability']);
/** Words before a number that deny it. */
const DENIED =
  /(?:\b(?:not|never)\b|n't\b)(?! (?:far|only|just|quite|even|very)\b)[^,;]{0,30}$|^(?:there (?:is|are) )?no\b/i;

/** What a share is of, and what the rest is. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\bown(?:s|ed|ers?)?\b/i, /\brent(?:s|ed|ers?|ing|als?)?\b/i],
  [/\bvacan(?:t|cy)\b/i, /\boccupied\b/i],
  [/\bimpervious\b/i, /\b(?:pervious|unpaved|unbuilt)\b/i],
  [/\bdeveloped\b/i, /\bundeveloped\b/i],
];

/** Whether a clause speaks of the rest of what a share is of. */
const isOpposite = (clause: string, { title }: Evidence): boolean =>
  OPPOSITES.some(([own, rest]) => own.test(title) && rest.test(clause) && !own.test(clause));

type Verdict = 'fits' | 'number' | 'comparison' | 'direction';

function verdictOn(clause: string, shown: PlacedNumber, one: Evidence, amount: CitedNumber): Verdict {
  const value = inShownUnit(shown, amount.unit === 'year' ? { ...amount, unit: null } : amount);
  if (value === null) return 'number';
  const relation = relationOf(clause, shown);
  if (amount.unit === 'percentile' && OTHERS.test(clause.slice(shown.end))) {
    const isBelow =
      relation === 'less' ||
      /\b(?:are|is|score|scores|rank|ranks)\s+(?:\w+\s+)?(?:higher|worse|riskier|more)\b/i.test(
        clause.slice(shown.end),
      );
    return isNumber(shown, { ...amount, value: isBelow ? 100 - amount.value : amount.value }) ? 'fits' : 'comparison';
  }
  if (relation === 'equal' && DENIED.test(clause.slice(0, shown.start))) return 'comparison';
  const isRest =
    SHARES.has(amount.unit ?? '') && (denials(clause.slice(shown.end), false) % 2 === 1) !== isOpposite(clause, one);
  if (isRest)
    return isNumber(shown, { value: (amount.unit === 'percent' ? 100 : 1) - amount.value, unit: amount.unit })
      ? 'fits'
      : 'comparison';
  if (relation !== 'equal') return holds(relation, value, shown) ? 'fits' : 'comparison';
  if (amount.unit === 'year') return shown.unit === null && shown.value === value ? 'fits' : 'number';
  if (shown.among !== undefined) {
    const among = 1 / value;
    const few = shown.value * shown.among;
    if (Math.abs(among * few - shown.among) <= Math.max(0.5, 0.05 * shown.among)) return 'fits';
  }
  if (!isNumber(shown, amount)) return 'number';
  const way = wayOf(clause, shown);
  if (value < 0 && shown.value >= 0) return way === 'down' || (way === null && saysDown(clause)) ? 'fits' : 'direction';
  // A slope falls as well as it rises.
  if (value > 0 && way === 'down' && !isDepth(one) && !/\bslope\b/i.test(one.title)) return 'direction';
  if (
    value > 0 &&
    way === 'up' &&
    isDepth(one) &&
    !/\b(?:above|over|higher)\b/i.test(`${one.title} ${one.description}`)
  )
    return 'direction';
  return 'fits';
}

/** Whether the words for a change of a value run against its sign. */
function wrongChange(clause: string, cited: readonly Evidence[]): boolean {
  const changes = cited.filter(one => isChange(one) && typeof one.record.value === 'number');
  if (changes.length !== 1) return false;
  const value = changes[0]!.record.value as number;
  const rose = /\b(?:rose|risen|rising|grew|growing|grown|gained|increased|increasing|expanded)\b/i.test(clause);
  const fell =
    /\b(?:fell|fallen|falling|declined|declining|decreased|decreasing|shrank|shrinking|shrunk|dropped|lost)\b/i.test(
      clause,
    );
  return (rose && !fell && value < 0) || (fell && !rose && value > 0);
}

/** A grade or class by number is that of the record, whatever its hint says of others. */
const LABELLED = /\b(?:zone|class|category|status|group|order|grade|level)\s+(?:(?:is|of|was)\s+)?$/i;

/** Finds a number in the clauses that no cited record supports, or that stands in a wrong relation to it. */
export function wrongAmount(
  clauses: readonly Clause[],
  cited: readonly Evidence[],
  matters: Matters,
): Unsupported | null {
  const amounts = new Map(
    cited.flatMap(one => {
      const amount = amountOf(one);
      return amount ? [[one, amount] as const] : [];
    }),
  );
  for (const { text } of clauses) {
    if (!isSupposed(text) && wrongChange(text, cited)) return { what: text, kind: 'direction' };
    const shown = placedNumbers(text);
    for (const number of shown) {
      // So many times as much is judged as an order.
      if (/^ times\b/.test(text.slice(number.end))) continue;
      const able = [...amounts.keys()].filter(one => {
        const amount = amounts.get(one)!;
        return inShownUnit(number, amount.unit === 'year' ? { ...amount, unit: null } : amount) !== null;
      });
      const named = matters.namedIn(text, able);
      const subjects = named.length > 0 ? named : able;
      const verdicts = subjects.map(one => verdictOn(text, number, one, amounts.get(one)!));
      if (verdicts.includes('fits')) continue;
      if (cited.some(one => isCalledSo(text, number, one)) || isYearOfSource(text, number, cited)) continue;
      const labelled = LABELLED.test(text.slice(0, number.start)) && subjects.length > 0;
      if (!labelled && cited.some(one => isRemarked(text, number, one))) continue;
      const kind = verdicts.find(one => one === 'direction') ?? verdicts.find(one => one === 'comparison') ?? 'number';
      return { what: kind === 'number' ? number.written : text, kind: kind as Unsupported['kind'] };
    }
    const compared = wrongOrder(text, shown, amounts, matters);
    if (compared !== null) return { what: compared, kind: 'comparison' };
  }
  return null;
}

/** What our own writer says of a limit that only the question names. */
const OF_QUESTION = /\bwhat the question names\b/;

/** Most characters between a comparison and the number that it compares with. */
const NEXT = 24;

/** Finds a comparison of two things that their values do not bear out, or of things that have none. */
function wrongOrder(
  text: string,
  shown: readonly PlacedNumber[],
  amounts: ReadonlyMap<Evidence, CitedNumber>,
  matters: Matters,
): string | null {
  const claim = twoSided(text);
  if (claim === null || OF_QUESTION.test(text) || isSupposed(text)) return null;
  // A limit in numbers, or a share of others, was judged already.
  const from = text.length - claim.second.length;
  if (shown.some(({ start }) => start >= from && start - from <= NEXT)) return null;
  const able = [...amounts.keys()];
  const [first] = matters.namedIn(claim.first, able);
  const [second] = matters.namedIn(
    claim.second,
    able.filter(one => one !== first),
  );
  if (!first || !second) return able.length < 2 ? null : claim.written;
  const [a, b] = [amounts.get(first)!, amounts.get(second)!];
  return a.unit === b.unit && claim.holds(a.value, b.value) ? null : claim.written;
}
