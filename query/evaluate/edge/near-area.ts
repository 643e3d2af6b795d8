import type { ConfidenceRule } from '../../../datasets/dataset.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { type Finding, type NearKey, orFailed } from '../finding.ts';
import { certaintyOf, withCertainty } from './certainty.ts';

/**
 * What is found for the area of a point, with no more confidence than the nearest area with another answer allows.
 * @param own what is found for the area itself, or why there is nothing.
 * @param near the areas about it, the likeliest first.
 * @param answerOf what is found for the area of a key.
 */
export function withNear(
  own: Finding,
  near: readonly NearKey[] | undefined,
  rule: ConfidenceRule | null,
  answerOf: (key: string) => MaybePromise<Finding>,
): MaybePromise<Finding> {
  if (!near || own.status === 'failed') return own;
  const from = (place: number): MaybePromise<Finding> => {
    const other = near[place];
    if (!other) return own;
    const { what, key, metres, accuracy } = other;
    const changed = () =>
      withCertainty(
        own,
        certaintyOf(rule, accuracy, metres, () => what),
      );
    if (key === null) return own.status === 'absent' ? from(place + 1) : changed();
    // What fails of another area is another answer.
    return after(
      orFailed(() => answerOf(key)),
      there => (there.status === own.status && there.value === own.value ? from(place + 1) : changed()),
    );
  };
  return from(0);
}
