import type { Expression, OperatorName } from '../../../datasets/grammar/expression.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import type { Context, Operator, Question } from '../context.ts';
import type { Finding } from '../finding.ts';
import { guarded } from '../rejected/guarded.ts';
import { rejectedNear } from '../rejected/rejected.ts';
import { NearestOfBatch } from '../vector/batch-nearest.ts';
import { nearestOnce } from '../vector/nearest-candidates.ts';
import type { NearestHit, Search } from '../vector/vector-search.ts';
import { searchedOperator } from './searched-operator.ts';

const reachOf = ({ options }: Expression): number => Number(options.max_km) * 1000;

/**
 * An operator that answers by the nearest feature within `max_km`, found once a point or batch for all that ask for the
 * same layer, condition and reach.
 * @param answers makes findings of the one found, null for none, as of searchedOperator.
 * @param decides whether a rejected row so many metres away takes the answer from the feature found so many metres away;
 *   it always does where none was found.
 */
export const nearestOperator = (
  name: OperatorName,
  answers: (
    call: Expression,
    question: Question,
    search: Search,
  ) => (ctx: Context, hit: NearestHit | null) => MaybePromise<Finding>,
  decides: (rejected: number, hit: number) => boolean,
): Operator =>
  guarded(
    searchedOperator<NearestHit | null>({
      name,
      find: (ctx, call, search) => nearestOnce(ctx, call.sources[0]!, search, call.where, reachOf(call)),
      async findAll(batch, call) {
        const near = await NearestOfBatch.of(batch, call.sources[0]!, call.where, reachOf(call));
        return (place, search) => near.at(place, search);
      },
      answers,
    }),
    (ctx, call, search) => {
      const source = call.sources[0]!;
      return after(rejectedNear(ctx, source, search, call.where, reachOf(call)), rejected => {
        if (!rejected) return null;
        return after(nearestOnce(ctx, source, search, call.where, reachOf(call)), hit =>
          !hit || decides(rejected.metres, hit.metres) ? rejected : null,
        );
      });
    },
  );
