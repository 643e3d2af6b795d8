import type { Confidence } from '../../../datasets/dataset.ts';
import type { Condition } from '../../../datasets/grammar/condition.ts';
import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import type { Layers } from '../../release/layers.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { confidenceOf } from '../confidence.ts';
import type { Context, Operator, Question } from '../context.ts';
import { absent, type Finding } from '../finding.ts';
import { pointByPoint } from '../vector/batch-search.ts';
import { type Search, searchOf } from '../vector/vector-search.ts';
import { anyRejected, type Ground, type Rejected, rejectedOn } from './rejected.ts';

/** The rejected row that may change what an operator found; null where none can. */
export type Guard = (ctx: Context, call: Expression, search: Search, finding: Finding) => MaybePromise<Rejected | null>;

/** Whether rows were rejected of the layer that a call reads. */
const concerns = ({ release }: Layers, { sources: [source] }: Expression): boolean =>
  source !== undefined && anyRejected(release.layer(source.dataset, source.layer));

/** What is answered where a rejected row may change the answer. */
export const absentFor = ({ reason, partition }: Rejected, { rule }: Pick<Question, 'rule'>): Finding =>
  absent(reason, confidenceOf(rule), [partition]);

/**
 * An operator over one layer that answers nothing where a rejected row of it may change the answer. Both forms look at
 * every point; a layer without rejected rows is not looked at.
 */
export function guarded(operator: Operator, guard: Guard): Operator {
  const judged = (ctx: Context, call: Expression, question: Question, finding: Finding): MaybePromise<Finding> => {
    if (finding.status === 'failed') return finding;
    const source = call.sources[0]!;
    return after(searchOf(ctx, source, call.where), search => {
      if (search.absent) return finding;
      return after<Rejected | null, Finding>(guard(ctx, call, search, finding), rejected =>
        rejected ? absentFor(rejected, question) : finding,
      );
    });
  };
  return {
    ...operator,
    point(ctx, call, question) {
      const found = operator.point(ctx, call, question);
      if (!concerns(ctx.layers, call)) return found;
      return after(found, finding => judged(ctx, call, question, finding));
    },
    async bulk(batch, call, question) {
      const findings = await operator.bulk(batch, call, question);
      if (!concerns(batch.layers, call)) return findings;
      return pointByPoint(batch, (ctx, i) => judged(ctx, call, question, findings[i]!));
    },
  };
}

/** What is answered for some ground where a rejected row on it may change the answer; null where none does. */
export async function lostOn(
  ctx: Context,
  source: SourceRef,
  search: Search,
  where: Condition | null,
  ground: Ground,
  confidence: Confidence,
): Promise<Finding | null> {
  if (!anyRejected(search.at.version)) return null;
  const rejected = await rejectedOn(ctx, source, search, where, ground);
  return rejected && absent(rejected.reason, confidence, [rejected.partition]);
}
