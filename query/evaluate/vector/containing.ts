import { type Condition, columnsOf } from '../../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { partitionsHolding } from '../../release/partitions-about.ts';
import { type Context, testOf } from '../context.ts';
import { addFound } from './near-polygons.ts';
import { Neighbourhood } from './neighbourhood.ts';
import { type Found, type Hit, inKey, requireStored, type Search } from './vector-search.ts';

/** Features of polygons that contain the point, whatever else. @throws Fault or DamagedFile when a file is unreadable. */
export function allContaining(ctx: Context, source: SourceRef, search: Search): MaybePromise<readonly Found[]> {
  const { lng, lat } = ctx.point;
  return ctx.memo(inKey(source), () => {
    const partitions = partitionsHolding(search.at.searched, lng, lat);
    return after(ctx.layers.allFeatures(partitions), files => {
      const hits: Found[] = [];
      const neighbourhood = Neighbourhood.of(ctx);
      for (const [i, partition] of partitions.entries()) {
        const features = files[i]!;
        const near = neighbourhood?.polygons(ctx, features, partition);
        if (near) {
          addFound(hits, near, partition, lng, lat);
          continue;
        }
        for (const feature of features.containing(lng, lat)) hits.push({ hit: { feature, partition }, features });
        ctx.check();
      }
      return hits;
    });
  });
}

/**
 * Features of polygons that contain the point and meet the condition.
 * @throws Fault or DamagedFile when a file that could hold one is unreadable or lacks a column.
 */
export function containing(
  ctx: Context,
  source: SourceRef,
  search: Search,
  where: Condition | null,
): MaybePromise<Hit[]> {
  return after(allContaining(ctx, source, search), found => meeting(ctx, source, search, where, found));
}

/** Those of the features found that can be judged by the condition and meet it. @throws Fault when a file lacks a column. */
export function meeting(
  ctx: Context,
  source: SourceRef,
  search: Search,
  where: Condition | null,
  all: readonly Found[],
): Hit[] {
  const test = testOf(ctx, where);
  const columns = columnsOf(where);
  const out: Hit[] = [];
  if (!all.length) return out;
  for (const { hit, features } of all) {
    if (search.partitions !== search.at.searched && !search.partitions.has(hit.partition)) continue;
    requireStored(features, source, columns);
    if (test(hit.feature.properties)) out.push(hit);
  }
  return out;
}
