import type { Expression } from '../datasets/expression.ts';
import type { Batch } from './batch.ts';
import { searchesOf } from './batch-search.ts';
import { type Context, keyOf } from './context.ts';
import { Interrupted } from './fault.ts';
import type { Finding } from './finding.ts';
import { distance } from './geodesic.ts';
import { type NearestHit, nearestFeature, type Search } from './vector.ts';

/** What the search of a point ended with; undefined while it was not made. */
type Ended = { readonly hit: NearestHit | null } | { readonly error: unknown };

/** Metres from each point of a batch to the next, made once for all fields. */
function stepsOf(batch: Batch): Promise<Float64Array> {
  return batch.memo('steps', async () => {
    const points = batch.contexts.map(ctx => ctx.point);
    return Float64Array.from(points, ({ lng, lat }, i) => {
      const next = points[i + 1];
      return next ? distance(lng, lat, next.lng, next.lat) : 0;
    });
  });
}

/**
 * The nearest feature of every point of a batch, found once for all fields of the same layer, condition and reach. The
 * one before bounds each search: its nearest feature lies no farther from here than from there plus the way between the
 * two points.
 * @param answer makes the finding of what was found, or of nothing; not asked where the search itself is absent.
 */
export async function nearestOfBatch(
  batch: Batch,
  call: Expression,
  answer: (ctx: Context, search: Search, hit: NearestHit | null) => Finding,
): Promise<readonly Finding[]> {
  const source = call.sources[0]!;
  const metres = Number(call.options.max_km) * 1000;
  const key = `near ${source.dataset}:${source.layer} ${metres} ${keyOf(call.where)}`;
  const ended = await batch.memo(key, async (): Promise<(Ended | undefined)[]> => []);
  const steps = await stepsOf(batch);
  let last: { place: number; search: Search; hit: NearestHit } | null = null;

  const find = async (ctx: Context, search: Search, place: number): Promise<Finding> => {
    let bound = Infinity;
    if (last?.search === search) {
      bound = last.hit.metres;
      for (let i = last.place; i < place; i++) bound += steps[i]!;
    }
    try {
      const hit = await nearestFeature(ctx, source, search, call.where, metres, undefined, bound);
      if (hit) last = { place, search, hit };
      ended[place] = { hit };
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      ended[place] = { error };
      throw error;
    }
    return answer(ctx, search, ended[place].hit);
  };

  return searchesOf(batch, source, call.where, [], (ctx, search, place) => {
    if (search.absent) return answer(ctx, search, null);
    const known = ended[place];
    if (!known) return find(ctx, search, place);
    if ('error' in known) throw known.error;
    return answer(ctx, search, known.hit);
  });
}
