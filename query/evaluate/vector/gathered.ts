import type { Value } from '../../../datasets/dataset.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import type { Partition } from '../../../datasets/release.ts';
import type { BoxTree } from '../../geometry/box-tree-nearest.ts';
import { Disc, OUTSIDE, WITHIN } from '../../geometry/disc/disc.ts';
import { discTest } from '../../geometry/disc/disc-test.ts';
import { distanceTo } from '../../geometry/feature-distance.ts';
import type { Features } from '../../release/features.ts';

/** Coordinates that are looked at one by one before chains are. */
const MANY = 128;

/** Reads the published value of a column by feature; each is read once and kept. */
export type ColumnReader = (feature: number) => Value;

/** The features of one partition that lie within a disc, in file order. */
export interface Gathered {
  readonly partition: Partition;
  readonly count: number;
  /** Numbers of the features, when they were asked for. */
  readonly features: readonly number[];
  /** Those that the points about a place share, one array for all of these points, and the others. */
  readonly shared: readonly number[];
  readonly own: readonly number[];
  /** By name, of the columns that were asked for. */
  readonly columns: ReadonlyMap<string, ColumnReader>;
}

/** What of one partition lies within the discs of all points about a place. */
export interface Part {
  readonly partition: Partition;
  readonly features: Features;
  readonly tree: BoxTree;
  /** How many features lie within every disc, and which in file order where that is asked. */
  readonly count: number;
  readonly sure: readonly number[];
  /** Features that the point decides, in file order, with their leaves. */
  readonly rim: readonly number[];
  readonly leaves: readonly number[];
  readonly columns: Gathered['columns'];
}

/** What points have in common, and what of it a point has whose rim holds nothing. */
export interface Shared {
  readonly parts: readonly Part[];
  readonly alone: readonly Gathered[];
}

const NONE: readonly number[] = [];

/** A part as one point has it. */
class GatheredPart implements Gathered {
  readonly partition: Partition;
  readonly columns: Gathered['columns'];
  readonly count: number;
  readonly shared: readonly number[];
  readonly own: readonly number[];
  constructor({ partition, columns, count, sure }: Part, own: readonly number[]) {
    this.partition = partition;
    this.columns = columns;
    this.count = count + own.length;
    this.shared = sure;
    this.own = own;
  }
  get features(): readonly number[] {
    return merged(this.shared, this.own);
  }
}

/** What points share whose parts these are. */
export const sharedOf = (parts: readonly Part[]): Shared => ({ parts, alone: gatheredOf(parts, parts.length) });

/** The first of some parts as a point has them whose rim holds nothing. */
function gatheredOf(parts: readonly Part[], end: number): Gathered[] {
  const out: Gathered[] = [];
  for (let i = 0; i < end; i++) if (parts[i]!.count) out.push(new GatheredPart(parts[i]!, NONE));
  return out;
}

/** What a point has of what it shares with others; the same array for all whose rim holds nothing. */
export function gatheredAt({ parts, alone }: Shared, lng: number, lat: number, radius: number): readonly Gathered[] {
  let disc: Disc | null = null;
  let out: Gathered[] | null = null;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (part.rim.length) disc ??= new Disc(lng, lat, radius);
    const held = disc ? heldOf(part, disc) : NONE;
    if (held.length) {
      out ??= gatheredOf(parts, i);
      out.push(new GatheredPart(part, held));
    } else if (part.count) out?.push(new GatheredPart(part, NONE));
  }
  return out ?? alone;
}

/** The features of a part's rim that lie within a disc. */
function heldOf({ features, tree: { boxes }, rim, leaves }: Part, disc: Disc): readonly number[] {
  let held: number[] | null = null;
  let within: ReturnType<typeof discTest> | null = null;
  for (let i = 0; i < rim.length; i++) {
    const at = leaves[i]! * 4;
    const relation = disc.relation(boxes, at);
    if (relation === OUTSIDE) continue;
    if (relation !== WITHIN) {
      const x = boxes[at]!;
      const y = boxes[at + 1]!;
      if (x === boxes[at + 2] && y === boxes[at + 3]) {
        within ??= discTest(disc.lng, disc.lat, disc.radius);
        if (!within(x, y)) continue;
      } else if (!reaches(features.feature(rim[i]!).geometry, disc)) continue;
    }
    held ??= [];
    held.push(rim[i]!);
  }
  return held ?? NONE;
}

/** Whether a geometry has a place in a disc: mostly one of its vertices is, and nothing need be measured. */
function reaches(geometry: Geometry, disc: Disc): boolean {
  const { xy } = geometry;
  for (let i = 0; i < Math.min(xy.length, MANY); i += 2) if (disc.surelyHolds(xy[i]!, xy[i + 1]!)) return true;
  return distanceTo(geometry, disc.lng, disc.lat, disc.radius) <= disc.radius;
}

/** Two ascending lists as one. */
export function merged(a: readonly number[], b: readonly number[]): readonly number[] {
  if (!b.length) return a;
  if (!a.length) return b;
  const out: number[] = new Array(a.length + b.length);
  for (let i = 0, j = 0, k = 0; k < out.length; k++) out[k] = j === b.length || a[i]! < b[j]! ? a[i++]! : b[j++]!;
  return out;
}
