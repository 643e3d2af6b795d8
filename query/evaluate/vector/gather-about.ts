import type { Value } from '../../../datasets/dataset.ts';
import { type Condition, columnsOf } from '../../../datasets/grammar/condition.ts';
import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import { memo } from '../../../datasets/memo.ts';
import type { Partition } from '../../../datasets/release.ts';
import type { BoxTree } from '../../geometry/box-tree-nearest.ts';
import { Disc, OUTSIDE, WITHIN } from '../../geometry/disc/disc.ts';
import type { Features } from '../../release/features.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { partitionsNear } from '../../release/partitions-about.ts';
import { type Context, conditionKey, keyOf, testOf } from '../context.ts';
import type { About } from '../point-group.ts';
import { CentreBound } from './centre-bound.ts';
import { type FeatureMemo, featureMemoOf } from './feature-memo.ts';
import { type ColumnReader, type Gathered, gatheredAt, type Part, type Shared, sharedOf } from './gathered.ts';
import { Neighbourhood } from './neighbourhood.ts';
import { requireStored, type Search } from './vector-search.ts';

/** Features a search may reject before their condition is worth an index of its own. */
const WASTEFUL = 200;
/** Features rejected for one that is taken before a condition counts as rare: verdicts are kept either way. */
const RARE = 8;
/** Nodes visited between two calls of `check`. */
const STRIDE = 1024;
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
  /** Whose values will be asked for: the files must have them. */
  readonly columns: readonly string[];
  /** Whether the numbers of the features are wanted, or only how many there are. */
  readonly listed: boolean;
}

/** What is gathered for a call with a `radius_m`, the same object every time. */
export const gatheringOf = memo(
  ({ sources, where, options }: Expression, columns: readonly string[]): Gathering => ({
    source: sources[0]!,
    where,
    radius: Number(options.radius_m),
    columns,
    listed: columns.length > 0,
  }),
);

/** Discs that hold all that any, and that every, disc about the points of a place holds; the second null where none is. */
export function discsAbout({ lng, lat, spread }: About, radius: number): { outer: Disc; within: Disc | null } {
  if (spread === 0) {
    const disc = new Disc(lng, lat, radius);
    return { outer: disc, within: disc };
  }
  // The millimetre is more than rounding may take.
  const inner = radius - spread - 1e-3;
  return {
    outer: new Disc(lng, lat, radius + spread + 1e-3),
    within: inner > 0 ? new Disc(lng, lat, inner) : null,
  };
}

/** What was gathered about a place, and the files that it was gathered from. */
interface Parts {
  readonly parts: readonly Part[];
  readonly files: readonly { readonly partition: Partition; readonly features: Features }[];
}

/**
 * What of a layer lies within the discs of all points about a place, and what a point has to decide, by partition in
 * manifest order and in file order: the same order every time, so that sums are the same. Whole branches of the packed
 * R-tree inside all discs are taken without a distance. Reads log n + k nodes for k found.
 * @param ctx any context of the request. @param centreBound decides features that their boxes leave open.
 * @throws Fault or DamagedFile when a file that could hold one is unreadable or lacks a column.
 */
export function partsAbout(
  ctx: Context,
  about: About,
  { source, where, radius, columns, listed }: Gathering,
  search: Search,
  centreBound: CentreBound | null,
): MaybePromise<Parts> {
  const { outer, within } = discsAbout(about, radius);
  const near = partitionsNear(search.partitions, outer.lng, outer.lat, outer.radius);
  return after(ctx.layers.allFeatures(near), all => {
    const parts: Part[] = [];
    const files = near.map((partition, i) => ({ partition, features: all[i]! }));
    const test = testOf(ctx, where);
    const needed = [...columns, ...columnsOf(where)];
    const condition = conditionKey(ctx.layers, where);
    for (const { partition, features } of files) {
      requireStored(features, source, needed);
      const { file } = features;
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
      const visit = (first: number, last: number, inside: boolean) => {
        if (inside && !verdicts && !listed) count += last - first + 1;
        else for (let leaf = first; leaf <= last; leaf++) take(leaf, inside);
      };
      walk(tree, outer, within, visit, () => ctx.check());
      if (condition && rejected > WASTEFUL + RARE * (count + rim.length))
        features.index(condition, test, () => ctx.check());
      if (!count && !rim.length) continue;
      const values = columns.map(name => [name, readerOf(ctx, partition, file, name)] as const);
      parts.push({ partition, features, tree, count, sure, rim, leaves, columns: new Map(values) });
    }
    return { parts, files };
  });
}

function readerOf(ctx: Context, partition: Partition, file: Features['file'], name: string): ColumnReader {
  return readerFrom(featureMemoOf<Value>(ctx, partition, file.count, `column ${name}`), file, name);
}

/** Apart from the rest, so that what a neighbourhood keeps does not keep the request that made it. */
function readerFrom(memo: FeatureMemo<Value>, file: Features['file'], name: string): ColumnReader {
  const read = (i: number) => file.properties(i)[name] ?? null;
  return feature => memo.of(feature, read);
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
 * The features that meet a condition and lie within the disc about a request's point, which shares nothing with others.
 * @param centreBound of the batch that the point belongs to. @throws Fault or DamagedFile as partsAbout does.
 */
export function gatherAlone(
  ctx: Context,
  gathering: Gathering,
  search: Search,
  centreBound: CentreBound | null,
): MaybePromise<readonly Gathered[]> {
  const { lng, lat } = ctx.point;
  return after(partsAbout(ctx, { lng, lat, spread: 0 }, gathering, search, centreBound), ({ parts }) =>
    gatheredAt(sharedOf(parts), lng, lat, gathering.radius),
  );
}

/** As gatherAlone, from what the points of the neighbourhood share, where that is little. */
export function gatherAt(ctx: Context, gathering: Gathering, search: Search): MaybePromise<readonly Gathered[]> {
  const { lng, lat } = ctx.point;
  const neighbourhood = Neighbourhood.of(ctx);
  return after<Shared | null, readonly Gathered[]>(
    neighbourhood && sharedAround(ctx, neighbourhood, gathering, search),
    shared => (shared ? gatheredAt(shared, lng, lat, gathering.radius) : gatherAlone(ctx, gathering, search, null)),
  );
}

/** Visits the leaves that are not outside a disc, from first to last in file order, and says which are within another. */
function walk(
  tree: BoxTree,
  outer: Disc,
  inner: Disc | null,
  visit: (first: number, last: number, inside: boolean) => void,
  check: () => void,
): void {
  const { boxes } = tree;
  const stack = tree.nodeCount ? [0] : [];
  for (let visited = 1; stack.length; visited++) {
    if (visited % STRIDE === 0) check();
    const node = stack.pop()!;
    const relation = outer.relation(boxes, node * 4);
    if (relation === OUTSIDE) continue;
    if ((inner === outer ? relation : inner?.relation(boxes, node * 4)) === WITHIN) {
      let [first, last] = [node, node];
      while (!tree.isLeaf(first)) first = tree.childOf(first);
      while (!tree.isLeaf(last)) last = tree.childEnd(last) - 1;
      visit(first, last, true);
    } else if (tree.isLeaf(node)) visit(node, node, false);
    else for (let child = tree.childEnd(node) - 1; child >= tree.childOf(node); child--) stack.push(child);
  }
}
