import type { Expression } from '../../datasets/expression.ts';
import type { Partition } from '../../datasets/release.ts';
import { BatchMiddle } from '../batch-middle.ts';
import { searchesOf } from '../batch-search.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, nameOf, type Operator, type Question } from '../context.ts';
import { Disc } from '../disc.ts';
import { Fault } from '../fault.ts';
import { absent, type Finding, found } from '../finding.ts';
import { gather } from '../gather.ts';
import { largestPart } from '../number.ts';
import { type Search, searchOf } from '../vector.ts';

/** Decimals of a sum: beyond them stands only what adding binary fractions leaves (0.1 + 0.2). */
const SUM_DECIMALS = 1e6;

async function answer(
  ctx: Context,
  call: Expression,
  { rule }: Question,
  search: Search,
  middle: BatchMiddle | null = null,
): Promise<Finding> {
  const source = call.sources[0]!;
  const column = call.argument!;
  const { agg, radius_m } = call.options;
  if (agg !== 'sum' && agg !== 'max') throw new Fault(`agg_within has no agg=${agg}; sum and max are known`);
  const { covering } = search.at;
  const confidence = confidenceOf(rule);
  if (search.absent) return absent(search.absent, confidence, covering);
  const disc = new Disc(ctx.point.lng, ctx.point.lat, Number(radius_m));
  const gathered = await gather(ctx, source, search, call.where, disc, true, [column], middle);
  let sum = 0;
  let max: number | null = null;
  const partitions: Partition[] = [];
  for (const part of gathered) {
    partitions.push(part.partition);
    const published = part.column(column);
    for (const feature of part.features) {
      const raw = published(feature);
      const value = typeof raw === 'string' ? largestPart(raw) : typeof raw === 'number' ? raw : null;
      if (value === null || !Number.isFinite(value)) continue;
      sum += value;
      if (max === null || value > max) max = value;
    }
  }
  const cited = partitions.length ? partitions : covering;
  const notes = [...search.notes];
  if (agg === 'sum') return found(Math.round(sum * SUM_DECIMALS) / SUM_DECIMALS, confidence, cited, notes);
  if (max === null)
    return absent(`no ${column} of ${nameOf(source)} within ${Number(radius_m) / 1000} km`, confidence, cited);
  return found(max, confidence, cited, notes);
}

/**
 * Sum or greatest value (`agg=sum`, `agg=max`) of a column over the features that count_within would count. A sum is 0
 * where the place is covered and nothing is found; the greatest of none is absent.
 *
 * Decided here:
 * - Missing values, and text that is no number, are skipped; several numbers in one text read as the largest.
 * - Sums are rounded to 6 decimals, beyond which stands only what adding binary fractions leaves.
 * - A partition whose source does not publish the column is left out, with a note; absent where it alone covers the point.
 *
 * Cost: as count_within with a condition, O(log n + k): the column of each of the k features found is decoded once a
 * file and kept (8 bytes a feature), then added. In bulk the coverage is decided once a batch.
 */
export const operator: Operator = {
  name: 'agg_within',
  async point(ctx, call, question) {
    return answer(ctx, call, question, await searchOf(ctx, call.sources[0]!, call.where, [call.argument!]));
  },
  async bulk(batch, call, question) {
    const middle = await BatchMiddle.of(batch, Number(call.options.radius_m));
    return searchesOf(batch, call.sources[0]!, call.where, [call.argument!], (ctx, search) =>
      answer(ctx, call, question, search, middle),
    );
  },
};
