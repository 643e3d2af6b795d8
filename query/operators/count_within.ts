import type { Expression } from '../../datasets/expression.ts';
import { BatchMiddle } from '../batch-middle.ts';
import { searchesOf } from '../batch-search.ts';
import { confidenceOf } from '../confidence.ts';
import type { Context, Operator, Question } from '../context.ts';
import { Disc } from '../disc.ts';
import { absent, type Finding, found } from '../finding.ts';
import { gather } from '../gather.ts';
import { type Search, searchOf } from '../vector.ts';

/** Columns the count reads of every feature beside those of the condition. */
const columnsOf = (call: Expression): string[] =>
  call.options.distinct === undefined ? [] : [String(call.options.distinct)];

async function answer(
  ctx: Context,
  call: Expression,
  { rule }: Question,
  search: Search,
  middle: BatchMiddle | null = null,
): Promise<Finding> {
  const source = call.sources[0]!;
  const { covering } = search.at;
  const confidence = confidenceOf(rule);
  if (search.absent) return absent(search.absent, confidence, covering);
  const [distinct] = columnsOf(call);
  const disc = new Disc(ctx.point.lng, ctx.point.lat, Number(call.options.radius_m));
  const gathered = await gather(ctx, source, search, call.where, disc, distinct !== undefined, columnsOf(call), middle);
  let count = 0;
  if (distinct === undefined) for (const part of gathered) count += part.count;
  else {
    const values = new Set<unknown>();
    for (const part of gathered) {
      const published = part.column(distinct);
      for (const feature of part.features) {
        const value = published(feature);
        if (value !== null && value !== '') values.add(value);
      }
    }
    count = values.size;
  }
  const partitions = gathered.length ? gathered.map(part => part.partition) : covering;
  return found(count, confidence, partitions, [...search.notes]);
}

/**
 * Features whose geodesic distance is at most `radius_m`; with `distinct=` one a value. Zero inside the coverage, absent
 * outside.
 *
 * Decided here:
 * - A micrometre more than the radius counts as at it: that is what two ways to measure the same distance may differ by.
 * - Whether the place is covered is asked of the point; a disc that reaches beyond the coverage counts what is known.
 * - Under `distinct=` features without a value count for none.
 * - The partitions that hold what was counted are cited; those that cover the point where nothing was.
 *
 * Cost: one walk of the packed R-tree, O(log n + b) nodes for b features near the rim, each measured at a few
 * microseconds; features well inside are counted by branches, or one by one under a condition or `distinct`, whose
 * values are decoded once a file and kept (8 bytes a feature). In bulk the coverage is decided once a batch.
 */
export const operator: Operator = {
  name: 'count_within',
  async point(ctx, call, question) {
    return answer(ctx, call, question, await searchOf(ctx, call.sources[0]!, call.where, columnsOf(call)));
  },
  async bulk(batch, call, question) {
    const middle = await BatchMiddle.of(batch, Number(call.options.radius_m));
    return searchesOf(batch, call.sources[0]!, call.where, columnsOf(call), (ctx, search) =>
      answer(ctx, call, question, search, middle),
    );
  },
};
