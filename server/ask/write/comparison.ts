import type { Evidence, Sentence } from '../backend.ts';
import { numbersIn } from '../check/number.ts';
import { converted, unitWords } from '../units.ts';
import { subjectOf } from './subject.ts';

const COMPARES =
  /\b(?:closer|nearer|farther|further|higher|lower|bigger|larger|smaller|greater|cheaper|dearer|costlier|steeper|windier|more expensive|compare[ds]?|comparison|comparar|vs\.?|versus|difference between|mas (?:cerca|lejos|alto|bajo|barato|caro)|closest of|which is (?:the )?(?:closest|nearest|higher|highest|lower|lowest))\b/i;
const LIMIT =
  /\b(?:(?:more|less|\p{L}+er) than|over|above|at least|exceeds?|mas de|under|below|at most|within|no more than|menos de)\s+(?=[$\d]|two|three|four|five|six|seven|eight|nine|ten|a\b)/iu;

/** Whether the source says that the value is an upper bound. Such a value cannot be called the smaller one. */
const isUpperBound = ({ record }: Evidence): boolean => /\bupper bound\b/.test(record.notes ?? '');

/** Units that a question leaves out. */
const COUNTED: ReadonlySet<string> = new Set(['count', 'people', 'jobs', 'units', 'USD']);

const isNumeric = ({ record }: Evidence): boolean => typeof record.value === 'number';

/** Compares one value with the limit that a question names. The sentence does not repeat the limit. */
function againstLimit(question: string, evidence: readonly Evidence[]): Sentence | null {
  const match = LIMIT.exec(question);
  if (!match) return null;
  const rest = question.slice(match.index + match[0].length);
  const [limit] = numbersIn(rest);
  if (!limit) return null;
  const after = rest.slice(rest.indexOf(limit.written) + limit.written.length).trim();
  // Who asks whether the slope is under 3 percent does not ask for the share of land under another.
  const numeric = evidence.filter(isNumeric).sort((a, b) => Number(/\d/.test(a.title)) - Number(/\d/.test(b.title)));
  for (const one of numeric) {
    const { value, unit } = one.record;
    // A unit without conversions must be named exactly.
    const same = unit === null || COUNTED.has(unit) || after.toLowerCase().startsWith(unitWords(unit).toLowerCase());
    const own = limit.unit !== null ? converted(Number(value), unit, limit.unit) : same ? Number(value) : null;
    if (own === null || (own > limit.value && isUpperBound(one))) continue;
    const word = own > limit.value ? 'more than' : own < limit.value ? 'less than' : 'exactly';
    return { text: `${cap(subjectOf(one))} is ${word} what the question names.`, fields: [one.field] };
  }
  return null;
}

/**
 * Compares values when the question asks for it: two values of one unit, or one value with a limit.
 * @param evidence with values, best first.
 * @returns null when there is nothing to compare.
 */
export function comparison(question: string, evidence: readonly Evidence[]): Sentence | null {
  const limit = againstLimit(question, evidence);
  if (limit) return limit;
  if (!COMPARES.test(question.normalize('NFKD').replace(/\p{M}/gu, ''))) return null;
  const numeric = evidence.filter(isNumeric);
  const first = numeric[0];
  const second = numeric.slice(1).find(({ record }) => first && record.unit === first.record.unit);
  if (!first || !second) return null;
  const [a, b] = [Number(first.record.value), Number(second.record.value)];
  if (isUpperBound(a > b ? first : second)) return null;
  const fields = [first.field, second.field];
  if (a === b) return { text: `${cap(subjectOf(first))} and ${subjectOf(second)} are the same.`, fields };
  const word = first.record.unit === 'm' && /distance/i.test(first.title) ? ['shorter', 'longer'] : ['lower', 'higher'];
  return { text: `${cap(subjectOf(first))} is ${a < b ? word[0] : word[1]} than ${subjectOf(second)}.`, fields };
}

const cap = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
