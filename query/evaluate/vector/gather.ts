import type { Value } from '../../../datasets/dataset.ts';
import type { Condition } from '../../../datasets/grammar/condition.ts';
import { columnsOf } from '../../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import type { Partition } from '../../../datasets/release.ts';
import type { BoxTree } from '../../geometry/box-tree-nearest.ts';
import { type Disc, OUTSIDE, UNSURE, WITHIN } from '../../geometry/disc/disc.ts';
import { discTest } from '../../geometry/disc/disc-test.ts';
import { distanceTo } from '../../geometry/feature-distance.ts';
import { boxLowerBound } from '../../geometry/geodesic.ts';
import type { Features } from '../../release/features.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { partitionsNear } from '../../release/partitions-about.ts';
import { type Context, conditionKey, testOf } from '../context.ts';
import type { CentreBound } from './centre-bound.ts';
import { featureMemoOf } from './feature-memo.ts';
import { requireStored, type Search } from './vector-search.ts';

/** Features a search may reject before their condition is worth an index of its own. */
export const WASTEFUL = 200;
/** Features rejected for one that is taken before a condition counts as rare: verdicts are kept either way. */
export const RARE = 8;
/** Nodes visited between two calls of `check`. */
const STRIDE = 1024;

/** The features of one partition that lie within a disc, in file order. */
export interface Gathered {
  readonly partition: Partition;
  readonly count: number;
  /** Numbers of the features, when they were asked for. */
  readonly features: readonly number[];
  /** Where several points share most of them: those, one array for all of these points, and the others. */
  readonly shared?: readonly number[];
  readonly own?: readonly number[];
  /** The published value of a column by feature; each is read once and kept. */
  column(name: string): (feature: number) => Value;
}

/**
 * The features that meet a condition and lie within a disc, partition by partition in manifest order and in file order:
 * the same order every time, so that sums are the same. Whole branches of the packed R-tree inside the disc are taken
 * without a distance; only features near the rim are decoded and measured. Reads log n + k nodes for k found.
 * @param listed whether the numbers of the features are wanted, or only how many there are.
 * @param columns columns whose values will be asked for: the files must have them.
 * @param centreBound of the batch that the disc's centre belongs to.
 * @throws Fault or DamagedFile when a file that could hold one is unreadable or lacks a column.
 */
export function gather(
  ctx: Context,
  source: SourceRef,
  search: Search,
  where: Condition | null,
  disc: Disc,
  listed: boolean,
  columns: readonly string[] = [],
  centreBound: CentreBound | null = null,
): MaybePromise<Gathered[]> {
  const near = partitionsNear(search.partitions, disc.lng, disc.lat, disc.radius).filter(
    ({ box, rows }) => rows && boxLowerBound(disc.lng, disc.lat, box!) <= disc.radius,
  );
  return after(ctx.layers.allFeatures(near), files => {
    const out: Gathered[] = [];
    const test = testOf(ctx, where);
    const needed = [...columns, ...columnsOf(where)];
    for (const [i, partition] of near.entries()) {
      const features = files[i]!;
      requireStored(features, source, needed);
      const { file } = features;
      const condition = conditionKey(ctx.layers, where);
      const filtered = condition ? features.filtered(condition) : null;
      const verdicts = condition && !filtered ? featureMemoOf<boolean>(ctx, partition, file.count, condition) : null;
      const passes = verdicts ? (feature: number) => verdicts.of(feature, i => test(file.properties(i))) : null;
      const { found, rejected } = walk(
        filtered ?? file.index,
        features,
        disc,
        passes,
        listed,
        () => ctx.check(),
        centreBound,
      );
      const count = listed ? found.length : found[0]!;
      if (condition && rejected > WASTEFUL + RARE * count) features.index(condition, test, () => ctx.check());
      if (!count) continue;
      out.push({
        partition,
        count,
        features: listed ? found : [],
        column(name) {
          const memo = featureMemoOf<Value>(ctx, partition, file.count, `column ${name}`);
          return feature => memo.of(feature, i => file.properties(i)[name] ?? null);
        },
      });
    }
    return out;
  });
}

/** @returns as `found` the features in file order, or how many there are as its only item. */
function walk(
  tree: BoxTree,
  features: Features,
  disc: Disc,
  passes: ((feature: number) => boolean) | null,
  listed: boolean,
  check: () => void,
  centreBound: CentreBound | null,
): { found: number[]; rejected: number } {
  const found: number[] = [];
  let count = 0;
  let rejected = 0;
  const take = (feature: number) => {
    if (passes && !passes(feature)) rejected++;
    else if (listed) found.push(feature);
    else count++;
  };
  const { boxes } = tree;
  const pointWithin = discTest(disc.lng, disc.lat, disc.radius);
  /** Whether a feature near the rim lies within; one whose box is a point is not decoded. */
  const isWithin = (at: Float64Array, node: number, feature: number): boolean => {
    const [x, y] = [at[node]!, at[node + 1]!];
    if (x === at[node + 2] && y === at[node + 3]) return pointWithin(x, y);
    const sure = centreBound?.within(features, feature, disc.radius) ?? null;
    return sure ?? distanceTo(features.feature(feature).geometry, disc.lng, disc.lat, disc.radius) <= disc.radius;
  };
  const stack = tree.nodeCount ? [0] : [];
  for (let visited = 1; stack.length; visited++) {
    if (visited % STRIDE === 0) check();
    const node = stack.pop()!;
    const relation = disc.relation(boxes, node * 4);
    if (relation === OUTSIDE) continue;
    if (relation === WITHIN) {
      // The leaves below a node of a packed tree follow one another.
      let first = node;
      while (!tree.isLeaf(first)) first = tree.childOf(first);
      let last = node;
      while (!tree.isLeaf(last)) last = tree.childEnd(last) - 1;
      if (!passes && !listed) count += last - first + 1;
      else for (let leaf = first; leaf <= last; leaf++) take(tree.featureOf(leaf));
    } else if (!tree.isLeaf(node)) {
      for (let child = tree.childEnd(node) - 1; child >= tree.childOf(node); child--) stack.push(child);
    } else if (relation === UNSURE) {
      const feature = tree.featureOf(node);
      if (isWithin(boxes, node * 4, feature)) take(feature);
    }
  }
  return { found: listed ? found : [count], rejected };
}
