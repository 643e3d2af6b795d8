import type { Value } from '../../../datasets/dataset.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import { type Condition, columnsOf } from '../../../datasets/grammar/condition.ts';
import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import { memo } from '../../../datasets/memo.ts';
import type { Partition } from '../../../datasets/release.ts';
import type { BoxTree } from '../../geometry/box-tree-nearest.ts';
import { Disc, OUTSIDE, WITHIN } from '../../geometry/disc/disc.ts';
import { discTest } from '../../geometry/disc/disc-test.ts';
import { distanceTo } from '../../geometry/feature-distance.ts';
import { boxLowerBound } from '../../geometry/geodesic.ts';
import type { Features } from '../../release/features.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { partitionsNear } from '../../release/partitions-about.ts';
import { type Context, conditionKey, keyOf, testOf } from '../context.ts';
import type { About } from '../point-group.ts';
import { CentreBound } from './centre-bound.ts';
import { type FeatureMemo, featureMemoOf } from './feature-memo.ts';
import { type Gathered, gather, RARE, WASTEFUL } from './gather.ts';
import { Neighbourhood } from './neighbourhood.ts';
import { requireStored, type Search } from './vector-search.ts';

/** Coordinates that are looked at one by one before chains are. */
const MANY = 128;
/** Features that the points of a neighbourhood are left to decide, at most: beyond that each gathers for itself. */
const UNDECIDED = 64;
/** Features that a neighbourhood keeps a list of, at most. */
const LISTED = 4096;

/** What is asked of the disc about each of some points. */
export interface Gathering {
  readonly source: SourceRef;
  readonly where: Condition | null;
  /** Metres. */
  readonly radius: number;
  /** As gather's. */
  readonly columns: readonly string[];
  readonly listed: boolean;
}

/** What is gathered for a call with a `radius_m`, the same object every time. */
export const gatheringOf = memo(
  ({ sources, where, options }: Expression, columns: readonly string[], listed: boolean): Gathering => ({
    source: sources[0]!,
    where,
    radius: Number(options.radius_m),
    columns,
    listed,
  }),
);

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
  readonly column: (name: string) => (feature: number) => Value;
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
  readonly column: Gathered['column'];
  readonly count: number;
  readonly shared: readonly number[];
  readonly own: readonly number[];
  constructor({ partition, column, count, sure }: Part, own: readonly number[]) {
    this.partition = partition;
    this.column = column;
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

/** Discs that hold all that any, and that every, disc about the points of a place holds; the second null where none is. */
export function discsAbout({ lng, lat, spread }: About, radius: number): { outer: Disc; within: Disc | null } {
  // The millimetre is more than rounding may take.
  const inner = radius - spread - 1e-3;
  return {
    outer: new Disc(lng, lat, radius + spread + 1e-3),
    within: inner > 0 ? new Disc(lng, lat, inner) : null,
  };
}

/**
 * What of a layer lies within the discs of all points about a place, and what a point has to decide, by partition.
 * @param ctx any context of the request. @param centreBound decides features that their boxes leave open.
 * @throws Fault or DamagedFile as gather does.
 */
export async function partsAbout(
  ctx: Context,
  about: About,
  { source, where, radius, columns, listed }: Gathering,
  search: Search,
  centreBound: CentreBound | null,
): Promise<{
  readonly parts: readonly Part[];
  readonly files: readonly { partition: Partition; features: Features }[];
}> {
  const { layers } = ctx;
  const { outer, within } = discsAbout(about, radius);
  const test = testOf(ctx, where);
  const parts: Part[] = [];
  const files: { partition: Partition; features: Features }[] = [];
  for (const partition of partitionsNear(search.partitions, outer.lng, outer.lat, outer.radius)) {
    if (!partition.rows || boxLowerBound(outer.lng, outer.lat, partition.box!) > outer.radius) continue;
    const opening = layers.features(partition);
    const features = 'then' in opening ? await opening : opening;
    requireStored(features, source, [...columns, ...columnsOf(where)]);
    files.push({ partition, features });
    const { file } = features;
    const condition = conditionKey(layers, where);
    const filtered = condition ? features.filtered(condition) : null;
    const verdicts = condition && !filtered ? featureMemoOf<boolean>(ctx, partition, file.count, condition) : null;
    const tree: BoxTree = filtered ?? file.index;
    const { boxes } = tree;
    const [sure, rim, leaves]: [number[], number[], number[]] = [[], [], []];
    let count = 0;
    let rejected = 0;
    const take = (leaf: number, inside: boolean) => {
      const feature = tree.featureOf(leaf);
      if (verdicts && !verdicts.of(feature, i => test(file.properties(i)))) {
        rejected++;
        return;
      }
      const at = leaf * 4;
      const point = boxes[at] === boxes[at + 2] && boxes[at + 1] === boxes[at + 3];
      const isWithin = inside || point ? inside || null : centreBound?.within(features, feature, radius);
      if (isWithin === true) {
        count++;
        if (listed) sure.push(feature);
      } else if (isWithin !== false) {
        rim.push(feature);
        leaves.push(leaf);
      }
    };
    walk(tree, outer, within, (first, last, inside) => {
      if (inside && !verdicts && !listed) count += last - first + 1;
      else for (let leaf = first; leaf <= last; leaf++) take(leaf, inside);
    });
    if (condition && rejected > WASTEFUL + RARE * (count + rim.length))
      features.index(condition, test, () => ctx.check());
    const column = columnsOfFile(ctx, partition, features, columns);
    if (count + rim.length) parts.push({ partition, features, tree, count, sure, rim, leaves, column });
  }
  return { parts, files };
}

/** Reads columns of a file's features, each value once. */
function columnsOfFile(
  ctx: Context,
  partition: Partition,
  { file }: Features,
  names: readonly string[],
): Part['column'] {
  const memos = names.map(name => [name, featureMemoOf<Value>(ctx, partition, file.count, `column ${name}`)] as const);
  return readerOf(file, new Map(memos));
}

/** Apart from the rest, so that what a neighbourhood keeps does not keep the request that made it. */
function readerOf(file: Features['file'], memos: ReadonlyMap<string, FeatureMemo<Value>>): Part['column'] {
  const read = new Map<string, (feature: number) => Value>();
  return name => {
    let values = read.get(name);
    if (!values) {
      const ofColumn = memos.get(name)!;
      const value = (i: number) => file.properties(i)[name] ?? null;
      values = feature => ofColumn.of(feature, value);
      read.set(name, values);
    }
    return values;
  };
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

/** What a gathering is kept by: a text made once. */
export const gatherKey = memo(
  ({ source, where, radius, columns, listed }: Gathering) =>
    `gather ${source.dataset}:${source.layer} ${radius} ${keyOf(where)} ${columns.join()} ${listed}`,
);

/** What the points of a neighbourhood share; null where it is too much. */
function sharedAround(
  ctx: Context,
  neighbourhood: Neighbourhood,
  gathering: Gathering,
  search: Search,
): MaybePromise<Shared | null> {
  return neighbourhood.shared<Shared>(ctx, search, gatherKey(gathering), async () => {
    const { parts, files } = await partsAbout(
      ctx,
      neighbourhood,
      gathering,
      search,
      CentreBound.of(neighbourhood, gathering.radius),
    );
    let [open, sure] = [0, 0];
    for (const part of parts) [open, sure] = [open + part.rim.length, sure + part.sure.length];
    if (open > UNDECIDED || sure > LISTED) return { value: null, files, bytes: 0 };
    return { value: sharedOf(parts), files, bytes: 300 * parts.length + 16 * open + 8 * sure };
  });
}

/**
 * The features that meet a condition and lie within the disc about a request's point, as gather finds them: from what
 * the points of its neighbourhood share, where that is little.
 * @throws Fault or DamagedFile as gather does.
 */
export function gatherAt(ctx: Context, gathering: Gathering, search: Search): MaybePromise<readonly Gathered[]> {
  const { lng, lat } = ctx.point;
  const { source, where, radius, listed, columns } = gathering;
  const neighbourhood = Neighbourhood.of(ctx);
  return after<Shared | null, readonly Gathered[]>(
    neighbourhood && sharedAround(ctx, neighbourhood, gathering, search),
    shared =>
      shared
        ? gatheredAt(shared, lng, lat, radius)
        : gather(ctx, source, search, where, new Disc(lng, lat, radius), listed, columns),
  );
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

/** Visits the leaves that are not outside a disc, from first to last in file order, and says which are within a smaller one. */
function walk(
  tree: BoxTree,
  outer: Disc,
  inner: Disc | null,
  visit: (first: number, last: number, inside: boolean) => void,
): void {
  const { boxes } = tree;
  const stack = tree.nodeCount ? [0] : [];
  while (stack.length) {
    const node = stack.pop()!;
    if (outer.relation(boxes, node * 4) === OUTSIDE) continue;
    if (inner?.relation(boxes, node * 4) === WITHIN) {
      let [first, last] = [node, node];
      while (!tree.isLeaf(first)) first = tree.childOf(first);
      while (!tree.isLeaf(last)) last = tree.childEnd(last) - 1;
      visit(first, last, true);
    } else if (tree.isLeaf(node)) visit(node, node, false);
    else for (let child = tree.childEnd(node) - 1; child >= tree.childOf(node); child--) stack.push(child);
  }
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
