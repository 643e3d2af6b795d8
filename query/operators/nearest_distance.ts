import { confidenceOf } from '../confidence.ts';
import { nameOf, type Operator } from '../context.ts';
import { absent, found } from '../finding.ts';
import { roundDistance } from '../published.ts';
import { nearestOnce, searchOf } from '../vector.ts';

/** Geodesic metres to the nearest feature, rounded to 0.1; zero inside a polygon; absent beyond max_km. */
export const operator: Operator = {
  name: 'nearest_distance',
  async point(ctx, call, { rule }) {
    const source = call.sources[0]!;
    const kilometres = Number(call.options.max_km);
    const search = await searchOf(ctx, source, call.where);
    const confidence = confidenceOf(rule);
    if (search.absent) return absent(search.absent, confidence, search.at.covering);
    const hit = await nearestOnce(ctx, source, search, call.where, kilometres * 1000);
    if (!hit) return absent(`nothing of ${nameOf(source)} within ${kilometres} km`, confidence, search.at.covering);
    return found(roundDistance(hit.metres), confidence, [hit.partition], [...search.notes]);
  },
};
