import { type Box, boxesMeet, type Geometry } from '../../../datasets/geometry.ts';
import { type Condition, columnsOf } from '../../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import { memo } from '../../../datasets/memo.ts';
import { type GroundKind, groundWords } from '../../../datasets/place/ground-kind.ts';
import type { LayerVersion, Partition } from '../../../datasets/release.ts';
import { type BoxTree, type Nearest, nearest } from '../../geometry/box-tree-nearest.ts';
import { boxesAbout } from '../../geometry/boxes-about.ts';
import { distanceTo } from '../../geometry/feature-distance.ts';
import { contains } from '../../geometry/point-in-polygon.ts';
import { PolygonOverlap } from '../../geometry/polygon-overlap.ts';
import type { Feature, Features } from '../../release/features.ts';
import { type LayerList, LayerLists } from '../../release/lists/layer-lists.ts';
import { isGround, isRejected } from '../../release/lists/outline.ts';
import { after, inTurn, type MaybePromise } from '../../release/maybe-promise.ts';
import { partsOf, wholeOf } from '../../release/part.ts';
import { boxesAt } from '../../release/partitions-about.ts';
import { type Context, testOf } from '../context.ts';
import type { Search } from '../vector/vector-search.ts';

/** Square metres up to which two polygons that lie side by side share ground: what rounding and slips of a pen leave. */
const SLIVER_M2 = 1;

/** A row that was rejected at ingest where a question looks. */
export interface Rejected {
  /** As a caller is told. */
  readonly reason: string;
  readonly partition: Partition;
  /** Metres from the point; 0 on its ground. */
  readonly metres: number;
}

/** The ground that a question is about. */
export interface Ground {
  readonly geometry: Geometry;
  readonly box: Box;
  /** All of it, longitudes within ±180; the box where it is so. */
  readonly boxes?: readonly Box[];
}

/** Whether a partition keeps the ground of rejected rows. */
export const keepsRejected = (partition: Partition): boolean => partition.files.some(isRejected);

const rejectedIn = memo((layer: LayerVersion) => LayerLists.of(layer).all.some(({ outline }) => outline.rejected));

/** Whether any place rejected rows of a layer. Nearly all layers have none, and are not looked at further. */
export const anyRejected = (version: LayerVersion | null): boolean => version !== null && rejectedIn(version);

/** Why a rejected row is none, said of the place where it stood. */
const reasonOf = (source: SourceRef, partition: Partition, { properties }: Feature, place: string): string => {
  const what = source.dataset === 'parcel_store' ? 'the parcel' : `one of the ${layerWords(source, [partition])}`;
  return `${what} ${place} was rejected: ${properties.rejected_reason}`;
};

interface PartBeside {
  readonly partition: Partition;
  readonly features: Features;
}

/** The parts of a list that have rows of a role beside them: few of thousands. */
const KEEPING = {
  rejected: memo((list: LayerList) =>
    list.outline.rejected ? list.partitions.flatMap(partsOf).filter(keepsRejected) : [],
  ),
  ground: memo((list: LayerList) =>
    list.outline.ground ? list.partitions.flatMap(partsOf).filter(({ files }) => files.some(isGround)) : [],
  ),
};

/** Whether rows beside a part may lie about some boxes; null for anywhere. */
const mayConcern = ({ files }: Partition, role: keyof typeof KEEPING, boxes: readonly Box[] | null): boolean =>
  boxes === null ||
  files.some(
    file => file.role === role && (file.box === undefined || boxes.some(box => file.box && boxesMeet(box, file.box))),
  );

/**
 * The rows beside all partitions, or beside the parts of these that count, that a search looks in.
 * @param boxes that the rows may concern; null for all rows.
 */
const partsBeside = (
  role: keyof typeof KEEPING,
  ctx: Context,
  { partitions, at }: Search,
  boxes: readonly Box[] | null,
): MaybePromise<readonly PartBeside[]> =>
  after(
    inTurn(
      partitions
        .lists(boxes)
        .flatMap(KEEPING[role])
        .filter(part => mayConcern(part, role, boxes) && partitions.has(wholeOf(part)) && !at.isLeftOut(part)),
      partition => after(ctx.layers.beside(partition, role), files => files.map(features => ({ partition, features }))),
    ),
    each => each.flat(),
  );

/** What lies at the point that its publisher marks as no parcel: words for a reason; null where nothing of the kind does. */
export function groundAt(ctx: Context, search: Search): MaybePromise<string | null> {
  const { lng, lat } = ctx.point;
  return after(partsBeside('ground', ctx, search, boxesAt(lng, lat)), parts => {
    for (const { features } of parts)
      for (const { properties } of features.containing(lng, lat))
        return groundWords(properties.kind as GroundKind, properties.number as string | null);
    return null;
  });
}

/** Whether a rejected row may be one that the condition asks for: it meets it, or lacks a value that would tell. */
function mayMeet(ctx: Context, where: Condition | null): (row: Feature) => boolean {
  const test = testOf(ctx, where);
  const columns = columnsOf(where);
  return ({ properties }) =>
    properties.rejected_located === true &&
    (test(properties) || columns.some(column => (properties[column] ?? null) === null));
}

/**
 * The nearest rejected row that the condition may ask for.
 * @param metres what is farther is not found.
 * @throws Fault or DamagedFile when the rejected rows cannot be read.
 */
export function rejectedNear(
  ctx: Context,
  source: SourceRef,
  search: Search,
  where: Condition | null,
  metres: number,
): MaybePromise<Rejected | null> {
  const { lng, lat } = ctx.point;
  const may = mayMeet(ctx, where);
  return after(partsBeside('rejected', ctx, search, boxesAbout(lng, lat, metres)), files => {
    let best: { readonly row: Feature; readonly partition: Partition; readonly metres: number } | null = null;
    for (const { partition, features } of files) {
      const limit: number = best?.metres ?? metres;
      const found: Nearest | null = nearest<BoxTree>(
        [features.file.index],
        lng,
        lat,
        limit,
        (_, index) => may(features.feature(index)),
        (_, index, most) => distanceTo(features.feature(index).geometry, lng, lat, most),
        (_, index) => String(features.feature(index).properties.rejected_row).padStart(16),
        () => ctx.check(),
      );
      if (found && (!best || found.metres < best.metres))
        best = { row: features.feature(found.feature), partition, metres: found.metres };
    }
    if (!best) return null;
    const { row, partition, metres: away } = best;
    const place = away > 0 ? `${away.toFixed(1)} m away` : 'here';
    return { reason: reasonOf(source, partition, row, place), partition, metres: away };
  });
}

/**
 * The rejected rows about some boxes that the condition may ask for.
 * @param lies which of them; all unless given.
 * @throws Fault or DamagedFile when the rejected rows cannot be read.
 */
export function rejectedAbout(
  ctx: Context,
  source: SourceRef,
  search: Search,
  where: Condition | null,
  boxes: readonly Box[],
  lies: (row: Feature) => boolean = () => true,
): MaybePromise<readonly { readonly row: Feature; readonly rejected: Rejected }[]> {
  const may = mayMeet(ctx, where);
  return after(partsBeside('rejected', ctx, search, boxes), files =>
    files.flatMap(({ partition, features }) => {
      const rows = new Set<Feature>();
      for (const box of boxes)
        features.file.search(box, index => {
          const one = features.feature(index);
          if (may(one) && lies(one)) rows.add(one);
        });
      return [...rows].map(row => ({
        row,
        rejected: { reason: reasonOf(source, partition, row, 'here'), partition, metres: 0 },
      }));
    }),
  );
}

/** A rejected polygon at the point that the condition may ask for. @throws Fault or DamagedFile as rejectedAbout. */
export function rejectedAt(
  ctx: Context,
  source: SourceRef,
  search: Search,
  where: Condition | null,
): MaybePromise<Rejected | null> {
  const { lng, lat } = ctx.point;
  const holds = ({ geometry }: Feature) => contains(geometry, lng, lat);
  return after(
    rejectedAbout(ctx, source, search, where, boxesAt(lng, lat), holds),
    ([first]) => first?.rejected ?? null,
  );
}

/**
 * A rejected row on some ground that the condition may ask for: a polygon that shares more than a sliver with it, or a
 * point in it.
 * @throws Fault or DamagedFile as rejectedAbout.
 */
export function rejectedOn(
  ctx: Context,
  source: SourceRef,
  search: Search,
  where: Condition | null,
  ground: Ground,
): MaybePromise<Rejected | null> {
  const shares = ({ geometry }: Feature): boolean => {
    if (!geometry.parts.length) return geometry.type.endsWith('Point') && holdsOne(ground.geometry, geometry);
    const overlap = new PolygonOverlap(ground.geometry, ground.box);
    overlap.add(geometry);
    return overlap.measure() > SLIVER_M2;
  };
  const boxes = ground.boxes ?? [ground.box];
  return after(rejectedAbout(ctx, source, search, where, boxes, shares), ([first]) => first?.rejected ?? null);
}

/**
 * A rejected row of a table for one key that the condition may ask for.
 * @throws Fault or DamagedFile when the rejected rows cannot be read.
 */
export function rejectedFor(
  ctx: Context,
  source: SourceRef,
  search: Search,
  where: Condition | null,
  key: { readonly column: string; readonly value: string },
): MaybePromise<Rejected | null> {
  const test = testOf(ctx, where);
  const columns = columnsOf(where);
  return after(partsBeside('rejected', ctx, search, null), files => {
    for (const { partition, features } of files)
      for (let i = 0; i < features.file.count; i++) {
        const { properties } = features.feature(i);
        if (String(properties[key.column] ?? '') !== key.value) continue;
        if (!test(properties) && columns.every(column => (properties[column] ?? null) !== null)) continue;
        const reason = `the row for ${key.value} of ${layerWords(source, [partition])} was rejected: ${properties.rejected_reason}`;
        return { reason, partition, metres: 0 };
      }
    return null;
  });
}

function holdsOne(polygon: Geometry, { xy }: Geometry): boolean {
  for (let i = 0; i < xy.length; i += 2) if (contains(polygon, xy[i]!, xy[i + 1]!)) return true;
  return false;
}
