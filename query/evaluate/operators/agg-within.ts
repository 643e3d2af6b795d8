import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import { memo } from '../../../datasets/memo.ts';
import type { Partition } from '../../../datasets/release.ts';
import { Fault } from '../../release/fault.ts';
import { numberIn } from '../condition/number.ts';
import { confidenceOf } from '../confidence.ts';
import type { Operator, Question } from '../context.ts';
import { absent, type Finding, found } from '../finding.ts';
import { type DoubtedAt, gatheredOperator } from '../form/gathered-operator.ts';
import { openFinding } from '../vector/doubt.ts';
import type { ColumnReader, Gathered } from '../vector/gathered.ts';
import type { Search } from '../vector/vector-search.ts';

/** Decimals of a sum: beyond them stands only what adding binary fractions leaves (0.1 + 0.2). */
const SUM_DECIMALS = 1e6;

type Aggregate = 'sum' | 'max';

/** @throws Fault for an aggregate that there is not. */
export function aggOf({ options: { agg } }: Expression): Aggregate {
  if (agg === 'sum' || agg === 'max') return agg;
  throw new Fault(`agg_within has no agg=${agg}; sum and max are known`);
}

/** The values of a column over some features together. */
interface Total {
  readonly sum: number;
  /** -Infinity of none. */
  readonly max: number;
  /** Whether all were whole numbers: these add up alike in any order. */
  readonly whole: boolean;
}

const NOTHING: Total = { sum: 0, max: -Infinity, whole: true };

/**
 * @param before what the features come after, in the order in which the values are added.
 * @param wholeOnly whether a total that is not of whole numbers alone is of no use.
 */
function totalOf(published: ColumnReader, features: readonly number[], before: Total, wholeOnly = false): Total {
  let { sum, max, whole } = before;
  for (const feature of features) {
    if (wholeOnly && !whole) break;
    const value = numberIn(published(feature));
    if (value === null) continue;
    sum += value;
    whole &&= Number.isSafeInteger(value) && Number.isSafeInteger(sum);
    if (value > max) max = value;
  }
  return { sum, max, whole };
}

/** Whether features, counted with those of a total, would change the answer. */
const changes = (agg: Aggregate, column: string, open: readonly Gathered[], total: Total): boolean =>
  open.some(part => {
    const published = part.columns.get(column)!;
    return part.features.some(feature => {
      const { sum, max } = totalOf(published, [feature], NOTHING);
      return agg === 'sum' ? sum !== 0 : max > total.max;
    });
  });

/** @param sharedTotal of the features that several points share, of whole numbers alone: made once for them. */
function answer(
  call: Expression,
  question: Question,
  search: Search,
  { gathered, open }: DoubtedAt,
  agg: Aggregate,
  sharedTotal: (shared: readonly number[], published: ColumnReader) => Total,
): Finding {
  const column = call.argument!;
  const confidence = confidenceOf(question.rule);
  const partitions: Partition[] = [];
  let total = NOTHING;
  for (const part of gathered) {
    partitions.push(part.partition);
    const published = part.columns.get(column)!;
    const { shared, own } = part;
    const all = totalOf(published, own, sharedTotal(shared, published), true);
    const sum = total.sum + all.sum;
    // Otherwise the order counts, and it is that of the file.
    if (all.whole && total.whole && Number.isSafeInteger(sum))
      total = { sum, max: Math.max(total.max, all.max), whole: true };
    else total = totalOf(published, part.features, total);
  }
  const { sum, max } = total;
  if (open.length && changes(agg, column, open, total)) return openFinding(call, question, search, open);
  const cited = partitions.length ? partitions : search.at.covering;
  const { notes } = search;
  if (agg === 'sum') return found(Math.round(sum * SUM_DECIMALS) / SUM_DECIMALS, confidence, cited, notes);
  if (max === -Infinity)
    return absent(
      `none of the ${layerWords(call.sources[0]!, cited)} with a value (${column}) lies within ${Number(call.options.radius_m) / 1000} km`,
      confidence,
      cited,
    );
  return found(max, confidence, cited, notes);
}

/**
 * Sum or greatest value (`agg=sum`, `agg=max`) of a column over the features that count_within would count. A sum is 0
 * where the place is covered and nothing is found; the greatest of none is absent.
 *
 * Decided here:
 * - Missing values, and text that is no number, are skipped; several numbers in one text read as the largest.
 * - Sums are rounded to 6 decimals; beyond them is only what adding binary fractions leaves.
 * - Absent where count_within is because a feature was rejected at ingest; unsure where it is because the coverage ends.
 * - Where a feature within the radius does not tell whether it meets the condition, and the answer would change with it,
 *   the answer is absent, as for count_within.
 * - A partition whose source does not publish the column is left out, with a note; absent where it alone covers the point.
 *
 * Cost: as count_within with a condition, O(log n + k): the column of each of the k features found is decoded once a
 * file and kept (8 bytes a feature), then added. In bulk as count_within; whole numbers that a run of points shares are
 * added once.
 */
export const operator: Operator = gatheredOperator(
  'agg_within',
  call => [call.argument!],
  (call, question, search) => {
    const agg = aggOf(call);
    const sharedTotal = memo((shared: readonly number[], published: ColumnReader) =>
      totalOf(published, shared, NOTHING, true),
    );
    return at => answer(call, question, search, at, agg, sharedTotal);
  },
);
