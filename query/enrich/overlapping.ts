import type { Geometry } from '../../datasets/geometry.ts';
import { type Condition, columnsOf } from '../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../datasets/grammar/expression.ts';
import type { Partition } from '../../datasets/release.ts';
import { type Context, keyOf, testOf } from '../evaluate/context.ts';
import { anyRejected, type Rejected, rejectedOn } from '../evaluate/rejected/rejected.ts';
import { doubtOf } from '../evaluate/vector/doubt.ts';
import { featureMemoOf } from '../evaluate/vector/feature-memo.ts';
import { type Hit, requireStored, searchOf } from '../evaluate/vector/vector-search.ts';
import { PolygonOverlap } from '../geometry/polygon-overlap.ts';
import type { BoundParcel } from '../parcel/bound-parcel.ts';
import { Fault } from '../release/fault.ts';
import { partitionsMeeting } from '../release/partitions-about.ts';

/** Polygons of a layer whose box meets the parcel's, and whom the answer rests on. */
interface Overlapping {
  readonly hits: readonly Hit[];
  readonly partitions: readonly Partition[];
  /** Says which partitions had to be left out. */
  readonly notes: readonly string[];
  /** What was rejected of the layer on the parcel and may meet the condition. */
  readonly rejected: Rejected | null;
}

/**
 * The polygons that meet a condition and may overlap the parcel.
 * @throws Fault when the layer is not installed, or does not map the parcel's point: that nothing overlaps it there is
 *   not known. DamagedFile when a file that could hold one is unreadable.
 */
export async function overlapping(
  ctx: Context,
  source: SourceRef,
  where: Condition | null,
  parcel: BoundParcel,
): Promise<Overlapping> {
  const { box } = parcel;
  const search = await searchOf(ctx, source, where);
  if (search.absent) throw new Fault(search.absent);
  const test = testOf(ctx, where);
  const hits: Hit[] = [];
  for (const partition of partitionsMeeting(search.partitions, box)) {
    const opening = ctx.layers.features(partition);
    const features = 'then' in opening ? await opening : opening;
    requireStored(features, source, columnsOf(where));
    const { file } = features;
    const passing =
      where &&
      featureMemoOf<boolean>(ctx, partition, file.count, `${keyOf(where)} ${ctx.layers.release.manifest.asOf}`);
    file.search(box, index => {
      if (!passing || passing.of(index, i => test(file.properties(i))))
        hits.push({ feature: features.feature(index), partition });
    });
    ctx.check();
  }
  const partitions = hits.length ? [...new Set(hits.map(hit => hit.partition))] : search.at.covering;
  const rejected = anyRejected(search.at.version) ? await rejectedOn(ctx, source, search, where, parcel) : null;
  return { hits, partitions, notes: search.notes, rejected };
}

/** The polygons that may overlap the parcel and do not tell whether they meet the condition. @throws as overlapping does. */
export async function doubted(
  ctx: Context,
  source: SourceRef,
  where: Condition | null,
  parcel: BoundParcel,
): Promise<readonly Hit[]> {
  const doubt = doubtOf(ctx, source, where);
  return doubt ? (await overlapping(ctx, source, doubt, parcel)).hits : [];
}

/** Square metres of the parcel that polygons cover together; a place counts once however many cover it. */
export function coveredArea({ geometry, box }: BoundParcel, polygons: Iterable<Geometry>): number {
  let overlap: PolygonOverlap | null = null;
  for (const polygon of polygons) {
    overlap ??= new PolygonOverlap(geometry, box);
    overlap.add(polygon);
  }
  return overlap?.measure() ?? 0;
}

/** The boundaries of what was found. */
export const geometriesOf = ({ hits }: Pick<Overlapping, 'hits'>): Geometry[] => hits.map(hit => hit.feature.geometry);
