import type { Expression, OperatorName } from '../../../datasets/grammar/expression.ts';
import { after } from '../../release/maybe-promise.ts';
import type { Operator, Question } from '../context.ts';
import { withinEdge } from '../edge/coverage-edge.ts';
import type { Finding } from '../finding.ts';
import { guarded } from '../rejected/guarded.ts';
import { rejectedNear } from '../rejected/rejected.ts';
import { BatchGather } from '../vector/batch-gather.ts';
import { doubtedOf } from '../vector/doubt.ts';
import { gatherAt, gatheringOf } from '../vector/gather-about.ts';
import type { Gathered } from '../vector/gathered.ts';
import type { Search } from '../vector/vector-search.ts';
import { searchedOperator } from './searched-operator.ts';

/** What lies within a disc: the features that meet the condition, and those of which that is not known. */
export interface DoubtedAt {
  readonly gathered: readonly Gathered[];
  readonly open: readonly Gathered[];
}

/** Nothing that is open. */
const NONE: readonly Gathered[] = [];

/**
 * An operator over the features within `radius_m` of the point, absent where one there was rejected at ingest; where the coverage
 * ends nearer, a note says so.
 * @param columnsOf columns whose values are read of each; of none the features are counted alone.
 * @param answers makes findings of what lies there, as of searchedOperator.
 */
export const gatheredOperator = (
  name: OperatorName,
  columnsOf: (call: Expression) => readonly string[],
  answers: (call: Expression, question: Question, search: Search) => (at: DoubtedAt) => Finding,
): Operator =>
  guarded(
    searchedOperator<DoubtedAt>({
      name,
      columnsOf,
      find(ctx, call, search) {
        const gathering = gatheringOf(call, columnsOf(call));
        const doubted = doubtedOf(gathering, ctx);
        return after(gatherAt(ctx, gathering, search), gathered =>
          after(doubted ? gatherAt(ctx, doubted, search) : NONE, open => ({ gathered, open })),
        );
      },
      async findAll(batch, call) {
        const gathering = gatheringOf(call, columnsOf(call));
        const doubted = doubtedOf(gathering, batch.contexts[0]!);
        const near = await BatchGather.of(batch, gathering);
        const unsure = doubted && (await BatchGather.of(batch, doubted));
        return (place, search) =>
          after(near.at(place, search), gathered =>
            after(unsure ? unsure.at(place, search) : NONE, open => ({ gathered, open })),
          );
      },
      answers(call, question, search) {
        const answer = answers(call, question, search);
        let last: { readonly at: DoubtedAt; readonly finding: Finding } | null = null;
        const radius = Number(call.options.radius_m);
        return (ctx, at) => {
          // Neighbours that have the same arrays have the same finding.
          if (last?.at.gathered !== at.gathered || last.at.open !== at.open) last = { at, finding: answer(at) };
          return withinEdge(ctx, call.sources[0]!, search.at, radius, last.finding);
        };
      },
    }),
    (ctx, call, search) => rejectedNear(ctx, call.sources[0]!, search, call.where, Number(call.options.radius_m)),
  );
