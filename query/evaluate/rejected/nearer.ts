import { after } from '../../release/maybe-promise.ts';
import { nearestOnce } from '../vector/nearest-candidates.ts';
import type { Guard } from './guarded.ts';
import { rejectedNear } from './rejected.ts';

/**
 * Guards an operator that answers by the nearest feature within `max_km`.
 * @param decides whether a rejected row so many metres away takes the answer from the feature found so many metres away;
 *   it always does where none was found.
 */
export const nearer =
  (decides: (rejected: number, hit: number) => boolean): Guard =>
  (ctx, call, search) => {
    const source = call.sources[0]!;
    const max = Number(call.options.max_km) * 1000;
    return after(rejectedNear(ctx, source, search, call.where, max), rejected => {
      if (!rejected) return null;
      return after(nearestOnce(ctx, source, search, call.where, max), hit =>
        !hit || decides(rejected.metres, hit.metres) ? rejected : null,
      );
    });
  };
