import { type AreaForm, measured } from '../area/area.ts';
import type { Candidate } from '../area/candidates.ts';
import { featuresOn } from '../area/features-on.ts';
import { confidenceOf } from '../confidence.ts';
import { absent } from '../finding.ts';

/** What tells features apart: themselves, or the values of a column; those without a value count for none. */
function counted(features: readonly Candidate[], distinct: string | null, into = new Set<unknown>()): Set<unknown> {
  for (const candidate of features) {
    const { features: of, index } = candidate;
    const value = distinct === null ? candidate : of.file.properties(index)[distinct];
    if (value !== null && value !== undefined && value !== '') into.add(value);
  }
  return into;
}

/**
 * Features that share a point with the area, whatever radius the field counts within. As in the point form the count is
 * absent where one that lies there was rejected at ingest, or does not tell whether it counts and would change the count;
 * where the coverage ends within the area, `unmapped` says how much lies beyond, and the count is of the rest.
 *
 * Cost: one R-tree search of the area's box and one exact test of each feature found.
 */
export const form: AreaForm = {
  name: 'count_within',
  async over(ctx, call, { rule }) {
    const distinct = call.options.distinct === undefined ? null : String(call.options.distinct);
    const on = await featuresOn(ctx, call, distinct === null ? [] : [distinct]);
    const confidence = confidenceOf(rule);
    if ('reason' in on) return absent(on.reason, confidence, on.all.covering);
    const { all, features, open, cited, unmapped } = on;
    const values = counted(features, distinct);
    const count = values.size;
    const most = counted(open, distinct, values).size;
    if (most > count) return absent(`${on.undecided} (at least ${count}, at most ${most})`, confidence, all.covering);
    return measured({ kind: 'count', count, unmapped }, confidence, cited, all.notes);
  },
};
