import FlatQueue from 'flatqueue';
import type { Box, Geometry } from '../../../datasets/geometry.ts';
import type { BoxTree } from '../box-tree-nearest.ts';
import { type Chains, chainsOf } from '../edge-chains.ts';
import { APART, TOUCHING } from '../edge-contact.ts';
import { distanceTo } from '../feature-distance.ts';
import { boxLowerBound, LEAST_RADIUS, turn } from '../geodesic.ts';
import type { PreparedArea } from '../prepared-area.ts';

const DEGREE = Math.PI / 180;

/** Degrees of longitude between two intervals, 0 where they meet in any turn. */
function gap(west: number, east: number, from: number, to: number): number {
  for (const by of [0, 360, -360]) if (from + by <= east && to + by >= west) return 0;
  return Math.min(Math.abs(turn(from - east)), Math.abs(turn(west - to)));
}

/**
 * A lower bound of the geodesic distance between two lng,lat boxes: that of their latitudes, or of their meridians where
 * these lie closest, on a sphere of the least radius of curvature.
 * @param boxes the second box, beginning at index `at`.
 * @returns metres; 0 where they meet.
 */
export function boxesLowerBound([west, south, east, north]: Box, boxes: ArrayLike<number>, at = 0): number {
  const [minX, minY, maxX, maxY] = [boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!];
  const apart = Math.max(0, minY - north, south - maxY) * DEGREE;
  const steepest = Math.max(Math.abs(south), Math.abs(north), Math.abs(minY), Math.abs(maxY));
  const sine = Math.cos(steepest * DEGREE) * Math.sin((gap(west, east, minX, maxX) / 2) * DEGREE);
  const arc = Math.max(apart, 2 * Math.asin(Math.min(1, sine)));
  return Math.max(0, arc * LEAST_RADIUS * (1 - 1e-12) - 1e-6);
}

/** Chains of a line or ring, those nearest to a box first, with the bounds of their distances. */
function byNearness({ boxes, first }: Chains, box: Box, limit: number): { chain: number; least: number }[] {
  const out: { chain: number; least: number }[] = [];
  for (let chain = 0; chain < first.length; chain++) {
    const least = boxesLowerBound(box, boxes, chain * 4);
    if (least <= limit) out.push({ chain, least });
  }
  return out.sort((a, b) => a.least - b.least);
}

/** Vertices of a geometry that may lie within a distance of a box, nearest chains first. */
function* verticesNear(geometry: Geometry, box: Box, limit: () => number): Generator<number> {
  const { xy } = geometry;
  if (geometry.type === 'Point' || geometry.type === 'MultiPoint') {
    for (let v = 0; v < xy.length / 2; v++) if (boxLowerBound(xy[2 * v]!, xy[2 * v + 1]!, box) <= limit()) yield v;
    return;
  }
  const chains = chainsOf(geometry);
  for (const { chain, least } of byNearness(chains, box, limit())) {
    if (least > limit()) return;
    for (let v = chains.first[chain]!; v <= chains.last[chain]!; v++)
      if (boxLowerBound(xy[2 * v]!, xy[2 * v + 1]!, box) <= limit()) yield v;
  }
}

/** Whether an area and a point, line or polygon share any point; boundaries belong to both. Planar in lng,lat. */
export function meetsArea(area: PreparedArea, geometry: Geometry): boolean {
  const { xy, ends, type } = geometry;
  if (geometry.parts.length) return area.intersects(geometry);
  if (type === 'Point' || type === 'MultiPoint') {
    for (let i = 0; i < xy.length; i += 2) if (area.grid.holds(xy[i]!, xy[i + 1]!)) return true;
    return false;
  }
  if (area.grid.contact(xy, ends, TOUCHING) !== APART) return true;
  let start = 0;
  for (const end of ends) {
    if (area.grid.holds(xy[2 * start]!, xy[2 * start + 1]!)) return true;
    start = end;
  }
  return false;
}

/**
 * Geodesic metres between an area and a geometry: 0 where they meet. Of two lines that do not meet one end of an edge is
 * nearest to the other, so vertices of each are measured against the other.
 * @param limit metres; what is farther need not be measured.
 * @returns Infinity when it is farther than `limit`.
 */
export function metresToArea(area: PreparedArea, geometry: Geometry, box: Box, limit: number): number {
  if (meetsArea(area, geometry)) return 0;
  const { geometry: own, box: ownBox } = area.grid;
  let best = limit;
  let found = Infinity;
  const reach = () => best;
  for (const [of, to, about] of [
    [geometry, own, ownBox],
    [own, geometry, box],
  ] as const)
    for (const v of verticesNear(of, about, reach)) {
      const metres = distanceTo(to, of.xy[2 * v]!, of.xy[2 * v + 1]!, best);
      if (metres <= best) found = best = metres;
    }
  return found;
}

/** A feature and its distance. */
interface NearestToArea<T extends BoxTree> {
  readonly tree: T;
  readonly feature: number;
  readonly metres: number;
}

/**
 * The nearest feature of several trees to an area, best first by the distance of boxes; the first found of several that
 * meet it.
 * @param maxMetres what is farther is not found.
 * @param accept leaves a feature out.
 * @param geometryOf a feature's shape.
 * @param pause called between features; the search goes on when it is through.
 */
export async function nearestToArea<T extends BoxTree>(
  trees: readonly T[],
  area: PreparedArea,
  maxMetres: number,
  accept: (tree: T, feature: number) => boolean,
  geometryOf: (tree: T, feature: number) => Geometry,
  pause: () => Promise<void> | undefined,
): Promise<NearestToArea<T> | null> {
  const queue = new FlatQueue();
  let best: NearestToArea<T> | null = null;
  const limit = () => best?.metres ?? maxMetres;
  const push = (tree: number, node: number) => {
    const bound = boxesLowerBound(area.grid.box, trees[tree]!.boxes, node * 4);
    if (bound <= limit()) queue.push(node * trees.length + tree, bound);
  };
  trees.forEach((tree, i) => {
    if (tree.nodeCount > 0) push(i, 0);
  });
  while (queue.length > 0 && queue.peekValue()! <= limit()) {
    const item = queue.pop()!;
    const index = item % trees.length;
    const node = (item - index) / trees.length;
    const tree = trees[index]!;
    if (!tree.isLeaf(node)) {
      for (let child = tree.childOf(node); child < tree.childEnd(node); child++) push(index, child);
      continue;
    }
    await pause();
    const feature = tree.featureOf(node);
    if (!accept(tree, feature)) continue;
    const box = [...tree.boxes.subarray(node * 4, node * 4 + 4)] as [number, number, number, number];
    const metres = metresToArea(area, geometryOf(tree, feature), box, limit());
    if (metres === 0) return { tree, feature, metres };
    if (metres <= limit() && metres !== Infinity) best = { tree, feature, metres };
  }
  return best;
}
