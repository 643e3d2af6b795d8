import type { Expression } from '../../../datasets/grammar/expression.ts';
import { confidenceOf } from '../confidence.ts';
import type { Operator, Question } from '../context.ts';
import { type Finding, found } from '../finding.ts';
import { type DoubtedAt, gatheredOperator } from '../form/gathered-operator.ts';
import { openFinding } from '../vector/doubt.ts';
import type { Gathered } from '../vector/gathered.ts';
import type { Search } from '../vector/vector-search.ts';

/** Columns the count reads of every feature beside those of the condition. */
const columnsOf = (call: Expression): string[] =>
  call.options.distinct === undefined ? [] : [String(call.options.distinct)];

/** Adds the values of a column over some features. */
function addValues(values: Set<unknown>, gathered: readonly Gathered[], column: string): Set<unknown> {
  for (const part of gathered) {
    const published = part.columns.get(column)!;
    for (const feature of part.features) {
      const value = published(feature);
      if (value !== null && value !== '') values.add(value);
    }
  }
  return values;
}

function answer(call: Expression, question: Question, search: Search, { gathered, open }: DoubtedAt): Finding {
  const [distinct] = columnsOf(call);
  let [count, most] = [0, 0];
  if (distinct === undefined) {
    for (const part of gathered) count += part.count;
    most = count;
    for (const part of open) most += part.count;
  } else {
    const values = addValues(new Set(), gathered, distinct);
    count = values.size;
    most = open.length ? addValues(values, open, distinct).size : count;
  }
  if (most > count) return openFinding(call, question, search, open, ` (at least ${count}, at most ${most})`);
  const partitions = gathered.length ? gathered.map(part => part.partition) : search.at.covering;
  return found(count, confidenceOf(question.rule), partitions, search.notes);
}

/**
 * Features whose geodesic distance is at most `radius_m`; with `distinct=` one a value. Zero inside the coverage, absent
 * outside.
 *
 * Decided here:
 * - A micrometre more than the radius counts as at it: that is what two ways to measure the same distance may differ by.
 * - The point decides whether the place is covered; a disc that reaches beyond the coverage counts what is known, with
 *   low confidence and a note that says so.
 * - Where one within the radius was rejected at ingest that may meet the condition, the count is absent, with the reason.
 * - Under `distinct=` features without a value count for none.
 * - Where a feature within the radius does not tell whether it meets the condition (three-valued, as SQL: the value that
 *   decides is empty, or a code for unknown) and the count would change with it, the answer is absent, with the least and
 *   the most that it can be.
 * - The partitions that hold what was counted are cited; those that cover the point where nothing was.
 *
 * Cost: one walk of the packed R-tree, O(log n + b) nodes for b features near the rim, each measured at a few
 * microseconds; features well inside are counted by branches, or one by one under a condition or `distinct`, whose
 * values are decoded once a file and kept (8 bytes a feature). Points of a neighborhood that is asked again share what
 * lies in all of their discs (neighborhood.ts), and each asks about the rim alone. In bulk the coverage is decided once a
 * batch, what lies in the discs of a run of points is taken once, and each point asks about the rim alone.
 */
export const operator: Operator = gatheredOperator(
  'count_within',
  columnsOf,
  (call, question, search) => at => answer(call, question, search, at),
);
