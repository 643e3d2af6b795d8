import { type Box, boxesMeet, type Geometry } from '../../../datasets/geometry.ts';
import type { Partition } from '../../../datasets/release.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import type { Context } from '../context.ts';

/** A polygon and its box: minX, minY, maxX, maxY in lng,lat degrees. */
export interface Shape {
  readonly box: Box;
  /** Decoded when it is asked for. */
  geometry(): Geometry;
}

const rectangleOf = ([west, south, east, north]: Box): Geometry => ({
  type: 'Polygon',
  xy: Float64Array.of(west, south, east, south, east, north, west, north, west, south),
  ends: Uint32Array.of(5),
  parts: Uint32Array.of(1),
});

/**
 * The polygons of a partition's coverage of its own.
 * @param about box that they meet; null for all.
 * @throws Fault or DamagedFile when it cannot be read.
 */
export function coverageShapes(ctx: Context, partition: Partition, about: Box | null): MaybePromise<readonly Shape[]> {
  if (partition.coverage === 'extent') {
    const { box } = partition;
    return box && (!about || boxesMeet(about, box)) ? [{ box, geometry: () => rectangleOf(box) }] : [];
  }
  return after(ctx.layers.features(partition, 'coverage'), features => {
    const shapes: Shape[] = [];
    const add = (index: number) => {
      shapes.push({ box: features.file.box(index), geometry: () => features.feature(index).geometry });
    };
    if (about) features.file.search(about, add);
    else for (let index = 0; index < features.file.count; index++) add(index);
    return shapes;
  });
}
