import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import { DISTANCE_NOISE, distanceInSteps } from '../../../datasets/precision.ts';
import { distanceTo } from '../../geometry/feature-distance.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { confidenceOf } from '../confidence.ts';
import type { Context, Operator, Question } from '../context.ts';
import { withBothEnds } from '../edge/both-ends.ts';
import { upToEdge } from '../edge/coverage-edge.ts';
import { absent, type Finding, found } from '../finding.ts';
import { nearestOperator } from '../form/nearest-operator.ts';
import { DECIMETRE, roundDistance } from '../published.ts';
import { unlessDoubted } from '../vector/nearest-doubt.ts';
import type { NearestHit, Search } from '../vector/vector-search.ts';

function answer(
  ctx: Context,
  call: Expression,
  { rule, precision }: Question,
  search: Search,
  hit: NearestHit | null,
): MaybePromise<Finding> {
  const { point } = ctx;
  const source = call.sources[0]!;
  const confidence = confidenceOf(rule);
  if (!hit) {
    const reason = `no ${layerWords(source, search.at.covering)} within ${Number(call.options.max_km)} km`;
    const none = absent(reason, confidence, search.at.covering);
    return after(unlessDoubted(ctx, call, search, null, none, nearerRounded, ''), said =>
      upToEdge(ctx, source, search, () => Number(call.options.max_km) * 1000, said, ''),
    );
  }
  const rounded = (exact: number) => distanceInSteps(exact, precision ?? DECIMETRE);
  let metres = rounded(hit.metres);
  // So near half a step both forms measure once more, in the same way, lest they round apart.
  if (rounded(hit.metres - DISTANCE_NOISE) !== rounded(hit.metres + DISTANCE_NOISE))
    metres = rounded(distanceTo(hit.feature.geometry, point.lng, point.lat));
  const plain = found(metres, confidence, [hit.partition], search.notes);
  const finding = withBothEnds(ctx, source, hit.partition, metres, plain);
  const is = 'the distance is an upper bound';
  return after(unlessDoubted(ctx, call, search, hit, finding, nearerRounded, is), said =>
    upToEdge(ctx, source, search, () => hit.metres, said, is),
  );
}

/** Whether a feature is so much nearer than another that the distance would be another. */
const nearerRounded = (one: number, other: number): boolean => roundDistance(one) < roundDistance(other);

/**
 * Geodesic meters to the nearest feature, in steps of a tenth of the layer's stated accuracy, 0.1 m where none is stated; zero inside a polygon, a step at least outside; absent beyond max_km.
 *
 * Decided here:
 * - Features of every place with a coverage of its own are searched once one of them covers the point, so that the
 *   nearest is found across partition edges; national files answer elsewhere.
 * - Where a feature was rejected at ingest that may meet the condition and lies nearer, the distance is absent, with the
 *   reason: that of another would only be an upper bound.
 * - Where the coverage ends nearer than the feature found, a nearer one may lie beyond: confidence low, and a note says that
 *   the distance is an upper bound. An edge between the coverages of two places is none.
 * - A nearer feature that does not tell whether it meets the condition (three-valued, as SQL) is not passed over unsaid: the
 *   distance is an upper bound then too, with low confidence and a note. Where nothing else is in reach the absence says it.
 * - A distance that is no longer than both of its ends are accurate together is low, and medium at most within twice that; the
 *   near end is as accurate as parcels are. A note says so.
 * - Distances within a micrometre are equal: the smaller join key is nearer then.
 *
 * Cost: a best-first walk of the packed R-tree, O(log n + k) nodes for the k features whose box is nearer than the
 * nearest feature; each is decoded once and measured by chains with a few of Karney's inverses. Under a rare condition
 * the first search reads the file through once and indexes what meets it. Found once a point for all fields of the same
 * layer, condition and reach; points of a neighborhood that is asked again share the features that may be nearest
 * (neighborhood.ts). In bulk the coverage is decided once a batch, and the features about the middle of a run of points
 * that may be the nearest of any of them are found together.
 */
export const operator: Operator = nearestOperator(
  'nearest_distance',
  (call, question, search) => (ctx, hit) => answer(ctx, call, question, search, hit),
  nearerRounded,
);
