import type { Expression } from '../datasets/expression.ts';
import type { Batch } from './batch.ts';
import { searchesOf } from './batch-search.ts';
import type { Context } from './context.ts';
import type { Finding } from './finding.ts';
import { distance } from './geodesic.ts';
import { type NearestHit, nearestOnce, type Search } from './vector.ts';

/**
 * The nearest feature of every point of a batch. The one before bounds each search: its nearest feature lies no farther
 * from here than from there plus the way between the two points.
 * @param answer makes the finding of what was found, or of nothing; not asked where the search itself is absent.
 */
export function nearestOfBatch(
  batch: Batch,
  call: Expression,
  answer: (ctx: Context, search: Search, hit: NearestHit | null) => Finding,
): Promise<readonly Finding[]> {
  const source = call.sources[0]!;
  const metres = Number(call.options.max_km) * 1000;
  let last: { search: Search; ctx: Context; hit: NearestHit } | null = null;
  return searchesOf(batch, source, call.where, [], async (ctx, search) => {
    if (search.absent) return answer(ctx, search, null);
    const before = last?.search === search ? last : null;
    const hit = await nearestOnce(ctx, source, search, call.where, metres, () => {
      if (!before) return Infinity;
      const { lng, lat } = before.ctx.point;
      return before.hit.metres + distance(lng, lat, ctx.point.lng, ctx.point.lat);
    });
    if (hit) last = { search, ctx, hit };
    return answer(ctx, search, hit);
  });
}
