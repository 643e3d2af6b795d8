import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import type { Condition } from '../../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { type Candidate, candidatesOf } from '../operators/overlap-fraction.ts';
import type { Search } from '../vector/vector-search.ts';
import type { AreaContext } from './area.ts';
import type { Shape } from './piece.ts';

export type { Candidate } from '../operators/overlap-fraction.ts';

/** A geometry as a shape. */
export const shapeOf = (geometry: Geometry): Shape => ({ box: boxOf(geometry), geometry: () => geometry });

/** The features that meet a condition and whose box meets that of the area. */
export function candidatesOn(
  ctx: AreaContext,
  source: SourceRef,
  where: Condition | null,
  search: Search,
): Promise<Candidate[]> {
  const { geometry, box } = ctx.area;
  return candidatesOf(ctx, source, where, search, {
    geometry,
    box,
    boxes: [box],
    partitions: [],
    match: null,
    disc: null,
  });
}

/** A candidate as a shape. */
export const shapeOfCandidate = ({ holder: { features }, index }: Candidate): Shape => ({
  box: features.file.box(index),
  geometry: () => features.feature(index).geometry,
});
