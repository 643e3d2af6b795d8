import { confidenceOf } from '../confidence.ts';
import { nameOf, type Operator } from '../context.ts';
import { absent, found } from '../finding.ts';
import { published } from '../published.ts';
import { nearestOnce, requireColumns, searchOf, storedValue, unpublishedReason } from '../vector.ts';

/** Column of the feature that nearest_distance finds; absent when that one has no value, never the next one's. */
export const operator: Operator = {
  name: 'nearest_attr',
  async point(ctx, call, { rule, type }) {
    const source = call.sources[0]!;
    const column = call.argument!;
    const kilometres = Number(call.options.max_km);
    const search = await searchOf(ctx, source, call.where);
    const confidence = confidenceOf(rule);
    if (search.absent) return absent(search.absent, confidence, search.at.covering);
    requireColumns(search.at, source, [column]);
    const hit = await nearestOnce(ctx, source, search, call.where, kilometres * 1000);
    if (!hit) return absent(`nothing of ${nameOf(source)} within ${kilometres} km`, confidence, search.at.covering);
    if (hit.partition.unpublished.includes(column))
      return absent(unpublishedReason(hit.partition, column), confidence, [hit.partition]);
    const result = published(storedValue(hit, source, column), call, type, column);
    return 'reason' in result
      ? absent(result.reason, confidence, [hit.partition])
      : found(result.value, confidence, [hit.partition], [...search.notes]);
  },
};
