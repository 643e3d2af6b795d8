import { type Box, boxesMeet, type Geometry } from '../../datasets/geometry.ts';
import { columnsOf } from '../../datasets/grammar/condition.ts';
import type { Expression, SourceRef } from '../../datasets/grammar/expression.ts';
import type { Partition } from '../../datasets/release.ts';
import { meets } from '../geometry/box-meeting.ts';
import { OUTSIDE, WITHIN } from '../geometry/disc/disc.ts';
import { discOverlap } from '../geometry/disc/disc-overlap.ts';
import { contains } from '../geometry/point-in-polygon.ts';
import { PolygonOverlap, straightArea } from '../geometry/polygon-overlap.ts';
import type { Features } from '../release/features.ts';
import { partitionsMeeting } from '../release/partitions-about.ts';
import { type Context, keyOf, testOf } from './context.ts';
import type { Mask } from './mask.ts';
import { roundFraction } from './published.ts';
import { type FeatureMemo, featureMemoOf } from './vector/feature-memo.ts';
import { requireStored, type Search } from './vector/vector-search.ts';

/** Features added between two looks at the deadline. */
const STRIDE = 64;

/**
 * Coordinates of a polygon up to which it is looked up whether it stands alone, and then cut by a disc's edges unswept:
 * without that, all fields of a parcel where buildings stand dense take 4.2 times as long together. For larger ones the sweep of
 * what is in the box is quicker than finding out, which takes up to 0.7 s a polygon.
 */
const SMALL = 256;
/** Two polygons that share no more than this do not overlap: square metres, what rounding leaves along a shared edge. */
const TOUCHING = 1e-6;
/** Square metres up to which what polygons share is a sliver, of vertices that one has and its neighbour lacks. */
const SLIVER = 1;
/** Shares that are further apart than rounding takes them. */
const NOISE = 1e-8;

/** A partition that may cover some of the mask, and what is known of its polygons whatever the mask. */
interface Holder {
  /** `dataset:layer`. */
  readonly layer: string;
  readonly partition: Partition;
  readonly features: Features;
  /** Square metres. */
  readonly area: FeatureMemo<number>;
}

/** A polygon that meets the condition and whose box meets the mask; it is read only when its shape matters. */
export interface Candidate {
  readonly holder: Holder;
  readonly index: number;
}

/** The features that meet the condition and whose box meets the mask, each once. */
export async function candidatesOf(
  ctx: Context,
  source: SourceRef,
  where: Expression['where'],
  search: Search,
  mask: Mask,
): Promise<Candidate[]> {
  const out: Candidate[] = [];
  const test = testOf(ctx, where);
  const columns = columnsOf(where);
  for (const partition of partitionsMeeting(search.partitions, ...mask.boxes)) {
    const boxes = mask.boxes.filter(b => boxesMeet(b, partition.box!));
    const opening = ctx.layers.features(partition);
    const features = 'then' in opening ? await opening : opening;
    requireStored(features, source, columns);
    const { file } = features;
    const memoOf = <T>(what: string) => featureMemoOf<T>(ctx, partition, file.count, what);
    const verdicts = where && memoOf<boolean>(`${keyOf(where)} ${ctx.layers.release.manifest.asOf}`);
    const holder: Holder = { layer: `${source.dataset}:${source.layer}`, partition, features, area: memoOf('area') };
    const seen = new Set<number>();
    for (const b of boxes)
      file.search(b, index => {
        if (mask.disc?.outer.relation(file.index.boxes, file.index.leafOf(index) * 4) !== OUTSIDE) seen.add(index);
      });
    for (const index of seen) {
      if (verdicts && !verdicts.of(index, i => test(file.properties(i)))) continue;
      out.push({ holder, index });
      if (out.length % STRIDE === 0) ctx.check();
    }
  }
  return out;
}

/** What is known of the polygons of each file beside those of the others: how much of them the others cover. */
function sharedIn(ctx: Context, holders: readonly Holder[]): Map<Holder, FeatureMemo<number>> {
  const ids = holders.map(({ partition }) => ctx.layers.idOf(ctx.layers.file(partition, 'features'))).sort();
  return new Map(
    holders.map(holder => {
      const { partition, features } = holder;
      return [holder, featureMemoOf<number>(ctx, partition, features.file.count, `shared ${ids.join()}`)];
    }),
  );
}

/**
 * Square metres that other polygons of the files cover of this one, each for itself; no more are added than a sliver.
 * Infinity for a polygon that is not small.
 */
function sharedOf({ holder, index }: Candidate, holders: Iterable<Holder>): number {
  const { features } = holder;
  const box = features.file.box(index);
  const { geometry } = features.feature(index);
  if (geometry.xy.length > SMALL) return Infinity;
  let shared = 0;
  for (const { features: others } of holders) {
    others.file.search(box, other => {
      if (other === index && others === features) return true;
      const combined = new PolygonOverlap(geometry, box);
      combined.add(others.feature(other).geometry);
      shared += combined.measure();
      return shared <= SLIVER;
    });
    if (shared > SLIVER) break;
  }
  return shared;
}

/** Whether a polygon holds all of the mask's box: then there is nothing to measure. */
function holdsAll({ holder: { features }, index }: Candidate, box: Box): boolean {
  const [west, south, east, north] = box;
  if (west < -180 || east > 180) return false;
  const { boxes } = features.file.index;
  const at = features.file.index.leafOf(index) * 4;
  if (boxes[at]! > west || boxes[at + 1]! > south || boxes[at + 2]! < east || boxes[at + 3]! < north) return false;
  const { geometry } = features.feature(index);
  return contains(geometry, west, south) && !meets(geometry, box);
}

/** Square metres of the mask that the polygons cover together. */
export const coveredArea = (
  ctx: Context,
  mask: Mask,
  candidates: readonly Candidate[],
  cells: readonly Geometry[],
  whole: number,
): number => covered(ctx, mask, candidates, cells, whole, TOUCHING).area;

/**
 * Square metres that polygons cover together, where those that share no more than `most` with others are measured for
 * themselves: at most `shared` of it is then counted more than once.
 */
function covered(
  ctx: Context,
  mask: Mask,
  candidates: readonly Candidate[],
  cells: readonly Geometry[],
  whole: number,
  most: number,
): { readonly area: number; readonly shared: number } {
  if (candidates.some(c => holdsAll(c, mask.box))) return { area: whole, shared: 0 };
  let combined: PolygonOverlap | null = null;
  // Only within one layer that is asked once is it known which polygons stand alone.
  const holders = new Set(candidates.map(c => c.holder));
  const [first] = holders;
  const ofOne = new Set([...holders].map(h => h.partition)).size === holders.size;
  const single = mask.disc && !cells.length && ofOne && [...holders].every(({ layer }) => layer === first!.layer);
  const shares = single ? sharedIn(ctx, [...holders]) : null;
  let area = 0;
  let shared = 0;
  let swept = 0;
  for (const candidate of candidates) {
    const { index, holder } = candidate;
    const own = shares?.get(holder)?.of(index, () => sharedOf(candidate, holders)) ?? Infinity;
    if (own <= most) {
      area += singleArea(candidate, mask);
      shared += own;
      continue;
    }
    combined ??= new PolygonOverlap(mask.geometry, mask.box);
    combined.add(holder.features.feature(index).geometry);
    if (++swept % STRIDE === 0) ctx.check();
  }
  for (const polygon of cells) {
    combined ??= new PolygonOverlap(mask.geometry, mask.box);
    combined.add(polygon);
  }
  return { area: combined ? area + combined.measure() : area, shared };
}

/** Square metres of a disc that one small polygon covers. */
function singleArea({ index, holder: { features, area } }: Candidate, { geometry: disc, disc: masked }: Mask): number {
  const { index: tree } = features.file;
  if (masked!.inner.relation(tree.boxes, tree.leafOf(index) * 4) === WITHIN)
    return area.of(index, i => straightArea(features.feature(i).geometry));
  return discOverlap(features.feature(index).geometry, features.file.box(index), disc);
}

/** The share of the mask that the polygons cover together, rounded: most slivers are too small for it to depend on them. */
export function coveredFraction(
  ctx: Context,
  mask: Mask,
  candidates: readonly Candidate[],
  cells: readonly Geometry[],
  whole: number,
): number {
  const rounded = (area: number) => roundFraction(Math.min(1, Math.max(0, area / whole)));
  if (!mask.disc) return rounded(coveredArea(ctx, mask, candidates, cells, whole));
  const { area, shared } = covered(ctx, mask, candidates, cells, whole, SLIVER);
  if (shared <= TOUCHING) return rounded(area);
  const least = rounded(area - shared - NOISE * whole);
  return least === rounded(area + NOISE * whole) ? least : rounded(coveredArea(ctx, mask, candidates, cells, whole));
}
