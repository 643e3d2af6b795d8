import type { Expression } from '../../datasets/expression.ts';
import { BatchGather } from '../batch-gather.ts';
import { searchesOf } from '../batch-search.ts';
import { confidenceOf } from '../confidence.ts';
import type { Operator, Question } from '../context.ts';
import { absent, type Finding, found } from '../finding.ts';
import type { Gathered } from '../gather.ts';
import { gatherAt, gatheringOf } from '../gather-about.ts';
import { guarded } from '../rejected/guarded.ts';
import { rejectedNear } from '../rejected/rejected.ts';
import { after } from '../soon.ts';
import { type Search, searchOf } from '../vector.ts';

/** Columns the count reads of every feature beside those of the condition. */
const columnsOf = (call: Expression): string[] =>
  call.options.distinct === undefined ? [] : [String(call.options.distinct)];

const askedOf = (call: Expression) => {
  const columns = columnsOf(call);
  return gatheringOf(call, columns, columns.length > 0);
};

const outside = (search: Search, { rule }: Question): Finding =>
  absent(search.absent!, confidenceOf(rule), search.at.covering);

function answer(call: Expression, { rule }: Question, search: Search, gathered: readonly Gathered[]): Finding {
  const [distinct] = columnsOf(call);
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
  const partitions = gathered.length ? gathered.map(part => part.partition) : search.at.covering;
  return found(count, confidenceOf(rule), partitions, search.notes);
}

/**
 * Features whose geodesic distance is at most `radius_m`; with `distinct=` one a value. Zero inside the coverage, absent
 * outside.
 *
 * Decided here:
 * - A micrometre more than the radius counts as at it: that is what two ways to measure the same distance may differ by.
 * - Whether the place is covered is asked of the point; a disc that reaches beyond the coverage counts what is known.
 * - Where one within the radius was rejected at ingest that may meet the condition, the count is absent, with the reason.
 * - Under `distinct=` features without a value count for none.
 * - The partitions that hold what was counted are cited; those that cover the point where nothing was.
 *
 * Cost: one walk of the packed R-tree, O(log n + b) nodes for b features near the rim, each measured at a few
 * microseconds; features well inside are counted by branches, or one by one under a condition or `distinct`, whose
 * values are decoded once a file and kept (8 bytes a feature). Points of a cell that is asked again share what lies in
 * all of their discs (cell.ts), and each asks about the rim alone. In bulk the coverage is decided once a batch, what lies in
 * the discs of a run of points is taken once, and each point asks about the rim alone.
 */
export const operator: Operator = guarded(
  {
    name: 'count_within',
    point(ctx, call, question) {
      const asked = askedOf(call);
      return after(searchOf(ctx, asked.source, call.where, asked.columns), search => {
        if (search.absent) return outside(search, question);
        return after(gatherAt(ctx, asked, search), gathered => answer(call, question, search, gathered));
      });
    },
    async bulk(batch, call, question) {
      const asked = askedOf(call);
      const { source, columns } = asked;
      const near = await BatchGather.of(batch, asked);
      let last: { gathered: readonly Gathered[]; search: Search; finding: Finding } | null = null;
      return searchesOf(batch, source, call.where, columns, (_, search, i) => {
        if (search.absent) return outside(search, question);
        const gathered = near.at(i, search);
        if ('then' in gathered) return gathered.then(all => answer(call, question, search, all));
        if (last?.gathered !== gathered || last.search !== search)
          last = { gathered, search, finding: answer(call, question, search, gathered) };
        return last.finding;
      });
    },
  },
  (ctx, call, search) => rejectedNear(ctx, call.sources[0]!, search, call.where, Number(call.options.radius_m)),
);
