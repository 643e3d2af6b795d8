import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import { type Condition, columnsOf } from '../../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import type { Partition } from '../../../datasets/release.ts';
import type { Features } from '../../release/features.ts';
import { partitionsMeeting } from '../../release/partitions-about.ts';
import { testOf } from '../context.ts';
import type { Shape } from '../vector/coverage-shapes.ts';
import { requireStored, type Search } from '../vector/vector-search.ts';
import type { AreaContext } from './area.ts';

/** A feature that meets a condition and whose box meets that of the area; it is read only when its shape matters. */
export interface Candidate {
  readonly partition: Partition;
  readonly features: Features;
  readonly index: number;
}

/** A geometry as a shape. */
export const shapeOf = (geometry: Geometry): Shape => ({ box: boxOf(geometry), geometry: () => geometry });

/** A candidate as a shape. */
export const shapeOfCandidate = ({ features, index }: Candidate): Shape => ({
  box: features.file.box(index),
  geometry: () => features.feature(index).geometry,
});

/**
 * The features that meet a condition and whose box meets that of the area.
 * @throws Fault or DamagedFile when a file that could hold one is unreadable or lacks a column.
 */
export async function candidatesOn(
  ctx: AreaContext,
  source: SourceRef,
  where: Condition | null,
  { partitions }: Search,
): Promise<Candidate[]> {
  const { box } = ctx.area;
  const test = testOf(ctx, where);
  const out: Candidate[] = [];
  for (const partition of partitionsMeeting(partitions, box)) {
    const features = await ctx.layers.features(partition);
    requireStored(features, source, columnsOf(where));
    const found: number[] = [];
    features.file.search(box, index => {
      found.push(index);
    });
    for (const index of found) {
      await ctx.pause();
      if (!where || test(features.file.properties(index))) out.push({ partition, features, index });
    }
  }
  return out;
}
