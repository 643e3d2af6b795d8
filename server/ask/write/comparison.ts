import type { Evidence, Sentence } from '../backend.ts';
import { numbersIn } from '../check/number.ts';
import { converted } from '../units.ts';
import { subjectOf } from './subject.ts';

const COMPARES =
  /\b(?:closer|nearer|farther|further|higher|lower|bigger|larger|smaller|greater|cheaper|dearer|costlier|steeper|windier|more expensive|compare[ds]?|comparison|comparar|vs\.?|versus|difference between|mas (?:cerca|lejos|alto|bajo|barato|caro)|closest of|which is (?:the )?(?:closest|nearest|higher|highest|lower|lowest))\b/i;
const LIMIT =
  /\b(?:more than|over|above|at least|greater than|farther than|further than|higher than|exceeds?|mas de|less than|under|below|at most|fewer than|closer than|lower than|within|no more than|menos de)\s+(?=[$\d]|two|three|four|five|six|seven|eight|nine|ten|a\b)/i;

const isNumeric = ({ record }: Evidence): boolean => typeof record.value === 'number';

/** What of one value is said against the limit that a question names: the limit itself is not repeated. */
function againstLimit(question: string, evidence: readonly Evidence[]): Sentence | null {
  const match = LIMIT.exec(question);
  if (!match) return null;
  const [limit] = numbersIn(question.slice(match.index + match[0].length));
  if (!limit) return null;
  for (const one of evidence.filter(isNumeric)) {
    const { value, unit } = one.record;
    const own = limit.unit === null ? Number(value) : converted(Number(value), unit, limit.unit);
    if (own === null || (limit.unit === null && unit !== null && !['count', 'people', 'jobs', 'USD'].includes(unit)))
      continue;
    const word = own > limit.value ? 'more than' : own < limit.value ? 'less than' : 'exactly';
    return { text: `That is ${word} what the question names.`, fields: [one.field] };
  }
  return null;
}

/**
 * How values compare, where the question asks so: two of one unit with each other, or one with a limit.
 * @param evidence with values, best first.
 * @returns null where there is nothing to compare.
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
  const fields = [first.field, second.field];
  if (a === b) return { text: `${cap(subjectOf(first))} and ${subjectOf(second)} are the same.`, fields };
  const word = first.record.unit === 'm' && /distance/i.test(first.title) ? ['shorter', 'longer'] : ['lower', 'higher'];
  return { text: `${cap(subjectOf(first))} is ${a < b ? word[0] : word[1]} than ${subjectOf(second)}.`, fields };
}

const cap = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
