import { layerWords } from '../../../datasets/layer-words.ts';
import { inSteps } from '../../../datasets/precision.ts';
import { type AreaForm, measured } from '../area/area.ts';
import type { Candidate } from '../area/candidates.ts';
import { featuresOn } from '../area/features-on.ts';
import { numberIn } from '../condition/number.ts';
import { confidenceOf } from '../confidence.ts';
import { absent } from '../finding.ts';
import { aggOf } from './agg-within.ts';

/** Sums are rounded as in the point form. */
const SUM_DECIMALS = 1e6;

/** The numbers of a column, missing values and text that is no number left out. */
function numbersOf(features: readonly Candidate[], column: string): number[] {
  return features.flatMap(({ features: of, index }) => numberIn(of.file.properties(index)[column]) ?? []);
}

/**
 * Sum or greatest value of the column over the features that count_within would count over the area, and how many these
 * are; absent where that count would be, or where one that does not tell whether it counts would change the answer.
 *
 * Cost: as count_within over an area, and one value read of each feature.
 */
export const form: AreaForm = {
  name: 'agg_within',
  async over(ctx, call, { rule, precision }) {
    const agg = aggOf(call);
    const column = call.argument!;
    const on = await featuresOn(ctx, call, [column]);
    const confidence = confidenceOf(rule);
    if ('reason' in on) return absent(on.reason, confidence, on.all.covering);
    const { all, features, open, cited, unmapped } = on;
    const numbers = numbersOf(features, column);
    const max = numbers.reduce((most, one) => Math.max(most, one), -Infinity);
    const changes = (one: number) => (agg === 'sum' ? one !== 0 : one > max);
    if (numbersOf(open, column).some(changes)) return absent(on.undecided!, confidence, all.covering);
    const of = { count: features.length, unmapped };
    if (agg === 'max' && max === -Infinity)
      return absent(
        `none of the ${layerWords(call.sources[0]!, cited)} on the area has a value (${column})`,
        confidence,
        cited,
      );
    const sum = numbers.reduce((total, one) => total + one, 0);
    const exact = agg === 'sum' ? Math.round(sum * SUM_DECIMALS) / SUM_DECIMALS : max;
    const value = precision === null ? exact : inSteps(exact, precision);
    return measured({ kind: agg, value, ...of }, confidence, cited, all.notes);
  },
};
