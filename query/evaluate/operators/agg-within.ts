import type { Value } from '../../../datasets/dataset.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import type { Partition } from '../../../datasets/release.ts';
import { Fault } from '../../release/fault.ts';
import { after } from '../../release/maybe-promise.ts';
import { largestPart } from '../condition/number.ts';
import { confidenceOf } from '../confidence.ts';
import { nameOf, type Operator, type Question } from '../context.ts';
import { absent, type Finding, found } from '../finding.ts';
import { guarded } from '../rejected/guarded.ts';
import { rejectedNear } from '../rejected/rejected.ts';
import { type DoubtedAt, DoubtedGather } from '../vector/batch-doubt.ts';
import { searchesOf } from '../vector/batch-search.ts';
import { doubtedOf, openFinding } from '../vector/doubt.ts';
import type { Gathered } from '../vector/gathered.ts';
import { gatherAt, gatheringOf } from '../vector/gather-about.ts';
import { type Search, searchOf } from '../vector/vector-search.ts';

/** Decimals of a sum: beyond them stands only what adding binary fractions leaves (0.1 + 0.2). */
const SUM_DECIMALS = 1e6;

const outside = (search: Search, { rule }: Question): Finding =>
  absent(search.absent!, confidenceOf(rule), search.at.covering);

/** @throws Fault for an aggregate that there is not. */
export function aggOf({ options: { agg } }: Expression): 'sum' | 'max' {
  if (agg === 'sum' || agg === 'max') return agg;
  throw new Fault(`agg_within has no agg=${agg}; sum and max are known`);
}

/** The values of a column over some features together. */
interface Total {
  readonly sum: number;
  readonly max: number | null;
  /** Whether all were whole numbers: these add up alike in any order. */
  readonly whole: boolean;
}

const NOTHING: Total = { sum: 0, max: null, whole: true };

/** @param before what the features come after, in the order in which the values are added. */
function totalOf(published: (feature: number) => Value, features: readonly number[], before: Total): Total {
  let { sum, max, whole } = before;
  for (const feature of features) {
    const raw = published(feature);
    const value = typeof raw === 'string' ? largestPart(raw) : typeof raw === 'number' ? raw : null;
    if (value === null || !Number.isFinite(value)) continue;
    sum += value;
    whole &&= Number.isSafeInteger(value) && Number.isSafeInteger(sum);
    if (max === null || value > max) max = value;
  }
  return { sum, max, whole };
}

/** Totals of the features that several points share, by their list. */
type SharedTotals = Map<readonly number[], Total>;

/** Nothing that is open. */
const NONE: readonly Gathered[] = [];

/** Whether features, counted with those of a total, would change the answer. */
const changes = (call: Expression, open: readonly Gathered[], total: Total): boolean =>
  open.some(part => {
    const published = part.columns.get(call.argument!)!;
    return part.features.some(feature => {
      const { sum, max } = totalOf(published, [feature], NOTHING);
      return aggOf(call) === 'sum' ? sum !== 0 : max !== null && (total.max === null || max > total.max);
    });
  });

/**
 * @param open features of which it is not known whether they meet the condition.
 * @param totals where the points of a batch leave what they share.
 */
function answer(
  call: Expression,
  question: Question,
  search: Search,
  gathered: readonly Gathered[],
  open: readonly Gathered[],
  totals: SharedTotals = new Map(),
): Finding {
  const column = call.argument!;
  const confidence = confidenceOf(question.rule);
  const partitions: Partition[] = [];
  let total = NOTHING;
  for (const part of gathered) {
    partitions.push(part.partition);
    const published = part.columns.get(column)!;
    const { shared, own } = part;
    if (shared && own) {
      const cached = totals.get(shared) ?? totalOf(published, shared, NOTHING);
      totals.set(shared, cached);
      const all = totalOf(published, own, cached);
      // Otherwise the order counts, and it is that of the file.
      if (all.whole && total.whole && Number.isSafeInteger(total.sum + all.sum)) {
        const max = Math.max(total.max ?? -Infinity, all.max ?? -Infinity);
        total = { sum: total.sum + all.sum, max: max === -Infinity ? null : max, whole: true };
        continue;
      }
    }
    total = totalOf(published, part.features, total);
  }
  const { sum, max } = total;
  if (open.length && changes(call, open, total)) return openFinding(call, question, search, open);
  const cited = partitions.length ? partitions : search.at.covering;
  const { notes } = search;
  if (aggOf(call) === 'sum') return found(Math.round(sum * SUM_DECIMALS) / SUM_DECIMALS, confidence, cited, notes);
  if (max === null)
    return absent(
      `no ${column} of ${nameOf(call.sources[0]!)} within ${Number(call.options.radius_m) / 1000} km`,
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
 * - Sums are rounded to 6 decimals, beyond which stands only what adding binary fractions leaves.
 * - Absent where count_within is because a feature was rejected at ingest.
 * - Where a feature within the radius does not tell whether it meets the condition, and the answer would change with it,
 *   the answer is absent, as for count_within.
 * - A partition whose source does not publish the column is left out, with a note; absent where it alone covers the point.
 *
 * Cost: as count_within with a condition, O(log n + k): the column of each of the k features found is decoded once a
 * file and kept (8 bytes a feature), then added. In bulk as count_within; whole numbers that a run of points shares are
 * added once.
 */
export const operator: Operator = guarded(
  {
    name: 'agg_within',
    point(ctx, call, question) {
      const gathering = gatheringOf(call, [call.argument!], true);
      aggOf(call);
      const doubted = doubtedOf(gathering, ctx);
      return after(searchOf(ctx, gathering.source, call.where, gathering.columns), search => {
        if (search.absent) return outside(search, question);
        return after(gatherAt(ctx, gathering, search), gathered =>
          after(doubted ? gatherAt(ctx, doubted, search) : NONE, open =>
            answer(call, question, search, gathered, open),
          ),
        );
      });
    },
    async bulk(batch, call, question) {
      const gathering = gatheringOf(call, [call.argument!], true);
      const { source, columns } = gathering;
      aggOf(call);
      const near = await DoubtedGather.of(batch, gathering);
      const totals: SharedTotals = new Map();
      let last: { at: DoubtedAt; search: Search; finding: Finding } | null = null;
      return searchesOf(batch, source, call.where, columns, (_, search, i) => {
        if (search.absent) return outside(search, question);
        return after(near.at(i, search), at => {
          if (last?.search !== search || last.at.gathered !== at.gathered || last.at.open !== at.open)
            last = { at, search, finding: answer(call, question, search, at.gathered, at.open, totals) };
          return last.finding;
        });
      });
    },
  },
  (ctx, call, search) => rejectedNear(ctx, call.sources[0]!, search, call.where, Number(call.options.radius_m)),
);
