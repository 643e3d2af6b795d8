import type { ScalarType, Value } from '../../../datasets/dataset.ts';
import type { Condition } from '../../../datasets/grammar/condition.ts';
import { columnsOf } from '../../../datasets/grammar/condition.ts';
import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import { layerWords, nameOf } from '../../../datasets/layer-words.ts';
import { memo } from '../../../datasets/memo.ts';
import type { Partition } from '../../../datasets/release.ts';
import { type BoxTree, nearest, TIE } from '../../geometry/box-tree-nearest.ts';
import { distanceTo } from '../../geometry/feature-distance.ts';
import type { LayerAt } from '../../release/coverage.ts';
import { Fault } from '../../release/fault.ts';
import type { Feature, Features } from '../../release/features.ts';
import { LayerLists } from '../../release/lists/layer-lists.ts';
import { PartitionSet } from '../../release/lists/partition-set.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { nearestPartitions } from '../../release/partitions-about.ts';
import { type Context, conditionKey, definitionOf, layerAt, testOf } from '../context.ts';
import { notesOn } from '../finding.ts';
import { type Published, published } from '../published.ts';
import { lackingReason, unpublishedPart } from '../unpublished.ts';

/** Features a search may reject before their condition is worth an index of its own. */
const WASTEFUL = 200;

const NOTHING: readonly string[] = [];
const NOBODY = PartitionSet.from([]);

/** A feature and the partition that holds it. */
export interface Hit {
  readonly feature: Feature;
  readonly partition: Partition;
}

/** The nearest feature, with its geodesic metres. */
export interface NearestHit extends Hit {
  readonly metres: number;
}

/** Finds the features that contain a point some other way than by a search of its own. */
export type Within = (search: Search) => MaybePromise<readonly Hit[]>;

/** What can be searched at the point, or why there is nothing to find. */
export interface Search {
  readonly at: LayerAt;
  /** Set when the point has no answer from this layer at all. */
  readonly absent: string | null;
  /** Partitions that publish what the condition asks for. */
  readonly partitions: PartitionSet;
  /** Says which partitions had to be left out, and what place files say of the columns that are read. */
  readonly notes: readonly string[];
}

/**
 * The partitions of a source at the point that a condition can be applied to.
 * @param more columns that the operator reads of every feature, beside those of the condition.
 * @throws Fault when the layer is not installed or the release has no such column.
 */
export function searchOf(
  ctx: Context,
  source: SourceRef,
  where: Condition | null,
  more: readonly string[] = [],
): MaybePromise<Search> {
  return after(layerAt(ctx, source), at => searchAt(at, source, where, more));
}

/** What partitions publish of what is asked. */
interface Publishing {
  readonly searched: PartitionSet;
  lacking(partition: Partition): string | null;
  /** Those searched that lack nothing, and why others are left out. */
  readonly partitions: PartitionSet;
  readonly notes: readonly string[];
}

/** What was asked last of a source: places and their partitions are few, requests many. */
const searches = new WeakMap<
  SourceRef,
  { readonly where: Condition | null; readonly publishing: Publishing; readonly search: Search }
>();

/** As searchOf, where it is known which partitions matter. @throws Fault when the release has no such column. */
export function searchAt(
  at: LayerAt,
  source: SourceRef,
  where: Condition | null,
  more: readonly string[] = [],
): Search {
  const cached = searches.get(source);
  const last = cached?.where === where && !more.length ? cached : null;
  if (last?.search.at === at) return last.search;
  if (!at.covering.length)
    return { at, absent: `outside the coverage of ${layerWords(source)}`, partitions: NOBODY, notes: NOTHING };
  // All over a layer's coverage the same partitions are searched: what they lack is asked once.
  const same = last?.publishing.searched === at.searched;
  const publishing = same ? last!.publishing : publishingOf(at, source, where, more);
  const { partitions, notes } = publishing;
  const absent = at.covering.some(p => publishing.lacking(p) === null) ? null : notes[0]!;
  const search = { at, absent, partitions, notes: absent ? NOTHING : notes };
  if (!more.length) searches.set(source, { where, publishing, search });
  return search;
}

function publishingOf(at: LayerAt, source: SourceRef, where: Condition | null, more: readonly string[]): Publishing {
  const { searched } = at;
  const columns = [...more, ...columnsOf(where)];
  if (columns.length) requireColumns(at, source, columns);
  const lacking = (p: Partition) => (columns.length ? unpublishedPart(p, columns, where) : null);
  // Nearly always every partition publishes what is asked. Of lists in which some do not all have to be told.
  const reasons = (columns.length ? searched.lists() : [])
    .filter(({ outline }) => unpublishedPart(outline, columns, where) !== null)
    .flatMap(({ partitions }) => partitions.filter(p => searched.has(p)))
    .flatMap(partition => {
      const reason = lacking(partition);
      return reason === null ? [] : [{ partition, note: lackingReason(partition, reason) }];
    });
  const partitions = searched.without(reasons.map(({ partition }) => partition));
  const said = columns.length
    ? notesOn(
        at.covering.filter(p => lacking(p) === null),
        columns,
      )
    : NOTHING;
  const notes = reasons.length ? [...new Set([...reasons.map(r => r.note), ...said])] : said;
  return { searched, lacking, partitions, notes };
}

/** @throws Fault naming a column that neither the release nor a partition's list of unpublished ones knows. */
export function requireColumns(at: LayerAt, source: SourceRef, columns: readonly string[]): void {
  const { version } = at;
  for (const column of columns)
    if (
      !version.columns.includes(column) &&
      !LayerLists.of(version).all.some(({ outline }) => outline.unpublished.includes(column))
    )
      throw new Fault(`this release has no column ${column} of the ${layerWords(source)}`);
}

/** @throws Fault naming the column that the partition's own file lacks. */
export function requireStored(features: Features, source: SourceRef, columns: readonly string[]): void {
  for (const column of columns)
    if (!features.file.columns.includes(column))
      throw new Fault(`the file of ${nameOf(source)} has no column ${column}`);
}

/** The published value of a feature's column. @throws Fault when the feature's file has no such column. */
export function storedValue(hit: Hit, source: SourceRef, column: string): Value {
  const value = hit.feature.properties[column];
  if (value === undefined) throw new Fault(`the file of ${nameOf(source)} has no column ${column}`);
  return value;
}

/** The value that a feature has in the column of a call, or why it has none. @throws Fault as storedValue and `published`. */
export function columnValue(hit: Hit, call: Expression, type: ScalarType | null): Published {
  const column = call.argument!;
  if (hit.partition.unpublished.includes(column)) return { reason: lackingReason(hit.partition, column) };
  return published(storedValue(hit, call.sources[0]!, column), call, type, column);
}

/** A feature found in an opened file. */
export interface Found {
  readonly hit: Hit;
  readonly features: Features;
}

/** Memo key of the features that contain the point, whatever the condition. */
export const inKey = memo(({ dataset, layer }: SourceRef) => `in ${dataset}:${layer}`);

/** The join key of a feature as text; the empty string where the layer has none. */
export function joinKeyOf(ctx: Context, source: SourceRef, feature: Feature): string {
  const layer = definitionOf(ctx, source);
  const key = layer.kind === 'vector' ? layer.joinKey : null;
  return key === null ? '' : String(feature.properties[key] ?? '');
}

/** Text order by code unit, as the tie rules compare. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Smallest area first, because the more particular polygon says more; then smaller join key, so that ties end alike. */
export function bySize(ctx: Context, source: SourceRef): (a: Hit, b: Hit) => number {
  return (a, b) =>
    a.feature.area - b.feature.area || byText(joinKeyOf(ctx, source, a.feature), joinKeyOf(ctx, source, b.feature));
}

/**
 * The nearest feature that meets the condition, over all partitions; ties go to the smaller join key.
 * @param maxMetres what is farther is not found.
 * @param accept leaves features out beside the condition.
 * @param bound metres that the nearest is known not to exceed, where something is known: it only narrows the search.
 * @throws Fault or DamagedFile when a file that could hold it is unreadable or lacks a column.
 */
export async function nearestFeature(
  ctx: Context,
  source: SourceRef,
  search: Search,
  where: Condition | null,
  maxMetres: number,
  accept: (feature: Feature) => boolean = () => true,
  bound = Infinity,
): Promise<NearestHit | null> {
  const { lng, lat } = ctx.point;
  const test = testOf(ctx, where);
  const columns = columnsOf(where);
  const reach = Math.min(maxMetres, bound + TIE);
  let best: NearestHit | null = null;
  const limitNow = (): number => (best ? Math.min(reach, best.metres + TIE) : reach);
  for (const { partition, least } of nearestPartitions(search.partitions, lng, lat, reach, limitNow)) {
    const limit = limitNow();
    if (least > limit) break;
    if (!partition.rows) continue;
    const opening = ctx.layers.features(partition);
    const features = 'then' in opening ? await opening : opening;
    requireStored(features, source, columns);
    const condition = conditionKey(ctx.layers, where);
    const filtered = condition ? features.filtered(condition) : null;
    let rejected = 0;
    // A feature is asked for twice in a row, to be accepted and to be measured.
    let last = -1;
    let read: Feature | null = null;
    const featureAt = (index: number): Feature => {
      if (index !== last || !read) read = features.feature(index);
      last = index;
      return read;
    };
    const found = nearest<BoxTree>(
      [filtered ?? features.file.index],
      lng,
      lat,
      limit,
      (_tree, index) => {
        const feature = featureAt(index);
        const passes = filtered !== null || test(feature.properties);
        if (!passes) rejected++;
        return passes && accept(feature);
      },
      (_tree, index, within) => distanceTo(featureAt(index).geometry, lng, lat, within),
      (_tree, index) => joinKeyOf(ctx, source, features.feature(index)),
      () => ctx.check(),
    );
    if (condition && rejected > WASTEFUL) features.index(condition, test, () => ctx.check());
    if (!found) continue;
    const hit: NearestHit = { feature: features.feature(found.feature), partition, metres: found.metres };
    const closer = best ? best.metres - hit.metres : Infinity;
    const tied = Math.abs(closer) < TIE;
    const key = (h: Hit) => joinKeyOf(ctx, source, h.feature);
    if (tied ? byText(key(hit), key(best!)) < 0 : closer > 0) best = hit;
  }
  return best;
}
