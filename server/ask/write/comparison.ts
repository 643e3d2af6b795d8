import type { Evidence, Sentence } from '../backend.ts';
import { numbersIn } from '../check/number.ts';
import { converted, unitWords } from '../units.ts';
import { capital, isUpperBound } from './phrase.ts';
import { subjectOf } from './subject.ts';
import type { Relation } from './tongue.ts';

const COMPARES =
  /\b(?:closer|nearer|farther|further|higher|lower|bigger|larger|smaller|greater|cheaper|dearer|costlier|steeper|windier|more expensive|compare[ds]?|comparison|comparar|vs\.?|versus|difference between|mas (?:cerca|lejos|alto|bajo|barato|caro)|closest of|which is (?:the )?(?:closest|nearest|higher|highest|lower|lowest))\b/i;
const LIMIT =
  /\b(?:(?:more|less|\p{L}+er) than|over|above|at least|exceeds?|mas de|under|below|at most|within|no more than|menos de)\s+(?=[$\d]|two|three|four|five|six|seven|eight|nine|ten|half|a\b)/iu;

/** Units that a question leaves out. */
const COUNTED: ReadonlySet<string> = new Set(['count', 'people', 'jobs', 'units', 'USD']);

const isNumeric = ({ record }: Evidence): boolean => typeof record.value === 'number';

/** A value beside the limit that a question names. */
interface Limited {
  readonly one: Evidence;
  readonly relation: Relation;
  /** As the question says it. */
  readonly limit: string;
}

/** The value that stands beside a limit of a clause; null for none. */
export function limitedBy(clause: string, evidence: readonly Evidence[]): Limited | null {
  const plain = clause.normalize('NFKD').replace(/\p{M}/gu, '');
  const match = LIMIT.exec(plain);
  if (!match) return null;
  const rest = plain.slice(match.index + match[0].length);
  const [limit] = numbersIn(rest);
  if (!limit || rest.indexOf(limit.written) > 1) return null;
  const after = rest.slice(rest.indexOf(limit.written) + limit.written.length).trim();
  // Who asks whether the slope is under 3 percent does not ask for the share of land under another.
  const numeric = evidence.filter(isNumeric).sort((a, b) => Number(/\d/.test(a.title)) - Number(/\d/.test(b.title)));
  for (const one of numeric) {
    const { value } = one.record;
    const unit = one.record.unit === 'probability' ? 'fraction' : one.record.unit;
    // A unit without conversions must be named exactly.
    const isSame = unit === null || COUNTED.has(unit) || after.toLowerCase().startsWith(unitWords(unit).toLowerCase());
    const own = limit.unit !== null ? converted(Number(value), unit, limit.unit) : isSame ? Number(value) : null;
    if (own === null || (own > limit.value && isUpperBound(one))) continue;
    const relation = own > limit.value ? 'more' : own < limit.value ? 'less' : 'equal';
    const named = limit.unit ?? (unit === null || COUNTED.has(unit) ? null : unit);
    const words = named === null || /\bin\b/.test(limit.written) ? '' : ` ${unitWords(named)}`;
    const dollars = unit === 'USD' && !limit.written.startsWith('$') ? '$' : '';
    return { one, relation, limit: `${dollars}${limit.written}${words}` };
  }
  return null;
}

/**
 * Compares two values of one unit when the question asks for it.
 * @param evidence with values, best first.
 * @returns null when there is nothing to compare.
 */
export function comparison(question: string, evidence: readonly Evidence[]): Sentence | null {
  if (!COMPARES.test(question.normalize('NFKD').replace(/\p{M}/gu, ''))) return null;
  const numeric = evidence.filter(isNumeric);
  const first = numeric[0];
  const second = numeric.slice(1).find(({ record }) => first && record.unit === first.record.unit);
  if (!first || !second) return null;
  const [a, b] = [Number(first.record.value), Number(second.record.value)];
  if (isUpperBound(a > b ? first : second)) return null;
  const fields = [first.field, second.field];
  const [one, other] = [subjectOf(first), subjectOf(second)];
  if (a === b) return { text: `${capital(one)} and ${other} are the same.`, fields };
  const isDistance = first.record.unit === 'm' && /distance/i.test(first.title);
  const word = isDistance ? ['closer', 'farther'] : ['lower', 'higher'];
  // In full, a distance would repeat the descriptions of its fields, which the check takes for theirs.
  const thing = (subject: string) => subject.replace(/^the distance to /, '');
  return { text: `${capital(thing(one))} is ${a < b ? word[0] : word[1]} than ${thing(other)}.`, fields };
}
