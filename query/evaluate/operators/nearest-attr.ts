import type { VectorLayer } from '../../../datasets/dataset.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { TIE } from '../../geometry/box-tree-nearest.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, definitionOf, nameOf, type Operator, type Question } from '../context.ts';
import { upToEdge } from '../edge/coverage-edge.ts';
import { absent, type Finding } from '../finding.ts';
import { publishedFinding } from '../published.ts';
import { guarded } from '../rejected/guarded.ts';
import { nearer } from '../rejected/nearer.ts';
import { nearestOfBatch } from '../vector/batch-nearest.ts';
import { nearestOnce } from '../vector/nearest-candidates.ts';
import { unlessDoubted } from '../vector/nearest-doubt.ts';
import { type NearestHit, requireColumns, type Search, searchOf, valueOf } from '../vector/vector-search.ts';

/** What an attribute is where another feature may be nearer. */
const MAYBE = 'this may not be the nearest';
/** Whether a feature is at least as near as another: of two that are, either may be meant. */
const asNear = (one: number, other: number): boolean => one <= other + TIE;

function answer(
  ctx: Context,
  call: Expression,
  { rule, type }: Question,
  search: Search,
  hit: NearestHit | null,
): MaybePromise<Finding> {
  const source = call.sources[0]!;
  const column = call.argument!;
  const confidence = confidenceOf(rule);
  const { covering } = search.at;
  const { pastEdge } = definitionOf(ctx, source) as VectorLayer;
  const upTo = (metres: () => number, finding: Finding) =>
    after(unlessDoubted(ctx, call, search, hit, finding, asNear, MAYBE), said =>
      upToEdge(ctx, source, search, metres, said, pastEdge === 'absent' ? null : MAYBE),
    );
  if (search.absent) return absent(search.absent, confidence, covering);
  requireColumns(search.at, source, [column]);
  const reach = Number(call.options.max_km);
  if (!hit)
    return upTo(() => reach * 1000, absent(`nothing of ${nameOf(source)} within ${reach} km`, confidence, covering));
  const finding = publishedFinding(valueOf(hit, call, type), confidence, [hit.partition], search.notes);
  return hit.partition.unpublished.includes(column) ? finding : upTo(() => hit.metres, finding);
}

/**
 * Column of the feature that nearest_distance finds; absent when that one has no value, never the next one's. Where the
 * coverage ends nearer than that feature confidence is low, and a note says that it may not be the nearest;
 * of layers that declare `pastEdge: 'absent'` it is absent.
 *
 * A feature as near or nearer that does not tell whether it meets the condition lowers the confidence so too, with a note.
 *
 * Where a rejected feature that may meet the condition lies as near, absent with that reason.
 *
 * Cost: the search of nearest_distance, shared with it at the same point, and the reading of one value. In bulk as
 * nearest_distance.
 */
export const operator: Operator = guarded(
  {
    name: 'nearest_attr',
    point(ctx, call, question) {
      const source = call.sources[0]!;
      const metres = Number(call.options.max_km) * 1000;
      return after(searchOf(ctx, source, call.where), search =>
        after(search.absent ? null : nearestOnce(ctx, source, search, call.where, metres), hit =>
          answer(ctx, call, question, search, hit),
        ),
      );
    },
    bulk: (batch, call, question) =>
      nearestOfBatch(batch, call, (ctx, search, hit) => answer(ctx, call, question, search, hit)),
  },
  nearer(asNear),
);
