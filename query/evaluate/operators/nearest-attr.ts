import type { VectorLayer } from '../../../datasets/dataset.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import { TIE } from '../../geometry/box-tree-nearest.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, definitionOf, type Operator, type Question } from '../context.ts';
import { upToEdge } from '../edge/coverage-edge.ts';
import { absent, type Finding } from '../finding.ts';
import { nearestOperator } from '../form/nearest-operator.ts';
import { publishedFinding } from '../published.ts';
import { unlessDoubted } from '../vector/nearest-doubt.ts';
import { columnValue, type NearestHit, requireColumns, type Search } from '../vector/vector-search.ts';

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
  const { pastEdge } = definitionOf(ctx, source) as VectorLayer;
  const upTo = (metres: () => number, finding: Finding) =>
    after(unlessDoubted(ctx, call, search, hit, finding, asNear, MAYBE), said =>
      upToEdge(ctx, source, search, metres, said, pastEdge === 'absent' ? null : MAYBE),
    );
  const reach = Number(call.options.max_km);
  if (!hit) {
    const reason = `no ${layerWords(source, search.at.covering)} within ${reach} km`;
    return upTo(() => reach * 1000, absent(reason, confidence, search.at.covering));
  }
  const finding = publishedFinding(columnValue(hit, call, type), confidence, [hit.partition], search.notes, column);
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
export const operator: Operator = nearestOperator(
  'nearest_attr',
  (call, question, search) => {
    requireColumns(search.at, call.sources[0]!, [call.argument!]);
    return (ctx, hit) => answer(ctx, call, question, search, hit);
  },
  asNear,
);
