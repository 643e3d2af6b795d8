import type { Box } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import { BoxIndex } from '../format/box-index.ts';
import { boxesAbout } from '../geometry/boxes-about.ts';
import { boxLowerBound } from '../geometry/geodesic.ts';
import type { LayerList } from './lists/layer-lists.ts';
import { GLOBE, rasterReach } from './lists/outline.ts';
import type { PartitionSet } from './lists/partition-set.ts';

type Indexes = WeakMap<readonly Partition[], BoxIndex>;
const indexes: Indexes = new WeakMap();
const rasters: Indexes = new WeakMap();

/** @param of what a list's partitions are found by. @throws Fault when a list about the boxes cannot be read. */
function found(
  set: PartitionSet,
  boxes: readonly Box[],
  among: Indexes,
  of: (partition: Partition) => Box | null,
): readonly Partition[] {
  const out: Partition[] = [];
  for (const list of set.lists(boxes)) out.push(...foundIn(list, set, boxes, among, of));
  return out;
}

function foundIn(
  { partitions }: LayerList,
  set: PartitionSet,
  boxes: readonly Box[],
  among: Indexes,
  of: (partition: Partition) => Box | null,
): readonly Partition[] {
  let index = among.get(partitions);
  if (!index) {
    index = new BoxIndex(partitions.map(of));
    among.set(partitions, index);
  }
  const out: Partition[] = [];
  for (const place of index.meeting(boxes)) {
    const one = partitions[place]!;
    if (set.has(one)) out.push(one);
  }
  return out;
}

const boxOf = ({ box }: Partition): Box | null => box;

/** Partitions of a set, in its order, whose box meets one of some lng,lat boxes. @throws Fault as found. */
export const partitionsMeeting = (set: PartitionSet, ...boxes: readonly Box[]): readonly Partition[] =>
  found(set, boxes, indexes, boxOf);

/** A lng,lat as a box, twice at the meridians 180 and -180, which are one. */
export const boxesAt = (lng: number, lat: number): readonly Box[] =>
  Math.abs(lng) === 180
    ? [
        [lng, lat, lng, lat],
        [-lng, lat, -lng, lat],
      ]
    : [[lng, lat, lng, lat]];

/** Partitions of a set, in its order, whose box holds a lng,lat. @throws Fault as found. */
export const partitionsHolding = (set: PartitionSet, lng: number, lat: number): readonly Partition[] =>
  partitionsMeeting(set, ...boxesAt(lng, lat));

/**
 * Partitions of a set, in its order, that have rows and whose box comes within some metres of a lng,lat, also across ±180:
 * none that has rows so near is left out.
 * @throws Fault as found.
 */
export const partitionsNear = (set: PartitionSet, lng: number, lat: number, metres: number): readonly Partition[] =>
  partitionsMeeting(set, ...boxesAbout(lng, lat, metres)).filter(
    ({ rows, box }) => rows > 0 && boxLowerBound(lng, lat, box!) <= metres,
  );

/** A partition and metres that its box is away at least. */
interface Away {
  readonly partition: Partition;
  readonly least: number;
}

const byLeast = (a: { readonly least: number }, b: { readonly least: number }) => a.least - b.least;

/**
 * As partitionsNear, those whose box is nearest first. A list is read when nothing nearer than it is left to tell.
 * @param limit metres within which any are still wanted: asked anew each time.
 * @throws Fault when a list within the limit cannot be read.
 */
export function* nearestPartitions(
  set: PartitionSet,
  lng: number,
  lat: number,
  metres: number,
  limit: () => number,
): Generator<Away> {
  const boxes = boxesAbout(lng, lat, metres);
  const leastTo = (box: Box | null) => (box ? boxLowerBound(lng, lat, box) : 0);
  const lists = set.lists(boxes).map(list => ({ list, least: leastTo(list.outline.reach) }));
  lists.sort(byLeast);
  const waiting: Away[] = [];
  for (let next = 0; ; ) {
    while (next < lists.length && lists[next]!.least <= Math.min(limit(), waiting[0]?.least ?? Infinity)) {
      for (const partition of foundIn(lists[next]!.list, set, boxes, indexes, boxOf))
        waiting.push({ partition, least: leastTo(partition.box) });
      waiting.sort(byLeast);
      next++;
    }
    const nearest = waiting.shift();
    if (!nearest) return;
    yield nearest;
  }
}

/**
 * Partitions of a set, in its order, whose rasters may hold ground of a lng,lat box; one beyond ±180 goes on across it.
 * @throws Fault as found.
 */
export function rastersAbout(set: PartitionSet, [west, south, east, north]: Box): readonly Partition[] {
  const boxes = [-360, 0, 360].map((turned): Box => [west + turned, south, east + turned, north]);
  return found(set, boxes, rasters, ({ box }) => (box ? rasterReach(box) : GLOBE));
}
