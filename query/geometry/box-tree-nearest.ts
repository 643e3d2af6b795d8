import FlatQueue from 'flatqueue';
import { Disc } from './disc/disc.ts';
import { boxLowerBound } from './geodesic.ts';

/**
 * A packed R-tree as this search reads it: nodes are numbered from the root, 0; an empty tree has none.
 * PackedRTree of packed-rtree.ts is one.
 */
export interface BoxTree {
  readonly nodeCount: number;
  /** minX, minY, maxX, maxY of each node, lng,lat degrees. */
  readonly boxes: Float64Array;
  isLeaf(node: number): boolean;
  featureOf(leaf: number): number;
  /** First child of an inner node, and the exclusive end of its children. */
  childOf(node: number): number;
  childEnd(node: number): number;
}

/** The feature found, the tree that holds it, and its distance. */
export interface Nearest<T extends BoxTree = BoxTree> {
  readonly tree: T;
  readonly feature: number;
  readonly metres: number;
}

/** Distances that differ by less, in metres, are equal: then the join key decides, so that the point form and the bulk form choose alike. */
export const TIE = 1e-6;
/** Up to this reach in metres a plane bounds distances closer, and at less cost, than a sphere does. */
const LOCAL = 200_000;
/** Nodes visited between two calls of `check`. */
const STRIDE = 256;

/**
 * The nearest feature of several trees searched as one, so that it is found across the edges of partitions. Best first
 * (Hjaltason & Samet 1999) by a bound that never exceeds the geodesic distance, across ±180 too.
 * @param lng,lat the point, degrees.
 * @param maxMetres what is farther is not found.
 * @param accept leaves a feature out; asked before its distance.
 * @param distanceOf metres to a feature, or Infinity when it is farther than `limit`.
 * @param tieKey among the features within TIE of the nearest, the one with the smallest key (by code unit) is taken,
 *   and among equal keys the nearer, then the earlier tree and feature.
 * @param check called every 256 nodes; it may throw to stop the search.
 */
export function nearest<T extends BoxTree>(
  trees: readonly T[],
  lng: number,
  lat: number,
  maxMetres: number,
  accept: (tree: T, feature: number) => boolean,
  distanceOf: (tree: T, feature: number, limit: number) => number,
  tieKey: (tree: T, feature: number) => string,
  check?: () => void,
): Nearest<T> | null {
  let best = Infinity;
  let ties: { tree: number; feature: number; metres: number }[] = [];
  const limit = () => Math.min(maxMetres, best + TIE);
  walk(trees, lng, lat, limit, check, (tree, feature) => {
    if (!accept(trees[tree]!, feature)) return;
    const metres = distanceOf(trees[tree]!, feature, limit());
    if (!(metres <= limit())) return;
    best = Math.min(best, metres);
    ties.push({ tree, feature, metres });
    ties = ties.filter(tie => tie.metres - best < TIE);
  });
  if (ties.length === 0) return null;
  const keys = ties.length === 1 ? [''] : ties.map(tie => tieKey(trees[tie.tree]!, tie.feature));
  const order = ties.map((_, i) => i);
  order.sort((i, j) => {
    const [a, b] = [ties[i]!, ties[j]!];
    if (keys[i] !== keys[j]) return keys[i]! < keys[j]! ? -1 : 1;
    return a.metres - b.metres || a.tree - b.tree || a.feature - b.feature;
  });
  const { tree, feature, metres } = ties[order[0]!]!;
  return { tree: trees[tree]!, feature, metres };
}

/**
 * Visits the features whose box may lie within a distance of the point, nearest box first: every feature that is so
 * near, and others that their own distance must rule out. With 0 metres: those whose box holds the point, where the
 * meridians 180 and -180 are one.
 * @param visit returning false ends the search.
 * @param check as in nearest.
 */
export function within<T extends BoxTree>(
  trees: readonly T[],
  lng: number,
  lat: number,
  metres: number,
  visit: (tree: T, feature: number) => unknown,
  check?: () => void,
): void {
  let limit = metres;
  walk(
    trees,
    lng,
    lat,
    () => limit,
    check,
    (tree, feature) => {
      if (visit(trees[tree]!, feature) === false) limit = -1;
    },
  );
}

function walk<T extends BoxTree>(
  trees: readonly T[],
  lng: number,
  lat: number,
  limit: () => number,
  check: (() => void) | undefined,
  visit: (tree: number, feature: number) => void,
): void {
  // One number stands for a node of a tree: trees are few, nodes far fewer than 2^53 / trees.length.
  const queue = new FlatQueue();
  const reach = limit();
  const disc = reach <= LOCAL ? new Disc(lng, lat, reach) : null;
  const push = (tree: number, node: number) => {
    const { boxes } = trees[tree]!;
    const bound = disc ? disc.least(boxes, node * 4) : boxLowerBound(lng, lat, boxes, node * 4);
    if (bound <= limit()) queue.push(node * trees.length + tree, bound);
  };
  trees.forEach((tree, i) => {
    if (tree.nodeCount > 0) push(i, 0);
  });
  for (let visited = 1; queue.length > 0 && queue.peekValue()! <= limit(); visited++) {
    if (visited % STRIDE === 0) check?.();
    const item = queue.pop()!;
    const index = item % trees.length;
    const node = (item - index) / trees.length;
    const tree = trees[index]!;
    if (tree.isLeaf(node)) visit(index, tree.featureOf(node));
    else for (let child = tree.childOf(node), end = tree.childEnd(node); child < end; child++) push(index, child);
  }
}
