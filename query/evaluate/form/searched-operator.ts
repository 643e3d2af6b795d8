import type { Condition } from '../../../datasets/grammar/condition.ts';
import type { Expression, OperatorName } from '../../../datasets/grammar/expression.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { confidenceOf } from '../confidence.ts';
import type { Batch, Context, Operator, Question } from '../context.ts';
import { absent, type Finding } from '../finding.ts';
import { searchesOf } from '../vector/batch-search.ts';
import { type Search, searchOf } from '../vector/vector-search.ts';

/** An operator over the features of one layer about a point, said once for both of its forms. X is what is found there. */
interface Searched<X> {
  readonly name: OperatorName;
  /** The condition of the features that are searched; the call's own unless given. */
  readonly whereOf?: (call: Expression) => Condition | null;
  /** Columns that are read of every feature beside those of the condition. */
  readonly columnsOf?: (call: Expression) => readonly string[];
  /** What is found at one point. */
  find(ctx: Context, call: Expression, search: Search, question: Question): MaybePromise<X>;
  /** The same at the points of a batch, by place. */
  findAll(
    batch: Batch,
    call: Expression,
    question: Question,
  ): Promise<(place: number, search: Search) => MaybePromise<X>>;
  /** Makes findings of what is found: called once a search, so that points share what they can. */
  answers(call: Expression, question: Question, search: Search): (ctx: Context, found: X) => MaybePromise<Finding>;
}

const outside = ({ absent: reason, at }: Search, { rule }: Question): Finding =>
  absent(reason!, confidenceOf(rule), at.covering);

/** Both forms of such an operator, which is absent where the layer has nothing to search. */
export const searchedOperator = <X>({
  name,
  whereOf = ({ where }) => where,
  columnsOf = () => [],
  ...of
}: Searched<X>): Operator => ({
  name,
  point: (ctx, call, question) =>
    after(searchOf(ctx, call.sources[0]!, whereOf(call), columnsOf(call)), search => {
      if (search.absent) return outside(search, question);
      const answer = of.answers(call, question, search);
      return after(of.find(ctx, call, search, question), found => answer(ctx, found));
    }),
  async bulk(batch, call, question) {
    const findAt = await of.findAll(batch, call, question);
    const answers = new Map<Search, ReturnType<typeof of.answers>>();
    return searchesOf(batch, call.sources[0]!, whereOf(call), columnsOf(call), (ctx, search, place) => {
      if (search.absent) return outside(search, question);
      const answer = answers.get(search) ?? of.answers(call, question, search);
      answers.set(search, answer);
      return after(findAt(place, search), found => answer(ctx, found));
    });
  },
});
