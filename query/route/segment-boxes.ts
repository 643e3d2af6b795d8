import { levelBoundsOf } from '../format/packed-rtree.ts';
import type { BoxTree } from '../geometry/box-tree-nearest.ts';
import { UNITS } from './road-lines.ts';

const NODE_SIZE = 16;

/** Shapes of segments, as a graph holds them. */
interface Shapes {
  /** First vertex of each, and the end of the last. */
  readonly shapeFirst: Uint32Array;
  readonly shape: Int32Array;
}

/** First node of each level, the end of it, and the first node of the level below; root first. */
function levelsOf(segments: number): readonly (readonly [start: number, end: number, below: number])[] {
  const levels = levelBoundsOf(segments, NODE_SIZE);
  return levels.map(([start, end], i) => [start, end, levels[i - 1]?.[0] ?? 0] as const).reverse();
}

function widen(boxes: Float64Array, at: number, minX: number, minY: number, maxX: number, maxY: number): void {
  boxes[at] = Math.min(boxes[at]!, minX);
  boxes[at + 1] = Math.min(boxes[at + 1]!, minY);
  boxes[at + 2] = Math.max(boxes[at + 2]!, maxX);
  boxes[at + 3] = Math.max(boxes[at + 3]!, maxY);
}

/** Boxes of segments, and of 16 of those each, level by level: segments stand along a curve, so this needs no sorting. */
export class SegmentTree implements BoxTree {
  readonly nodeCount: number;
  readonly boxes: Float64Array;
  readonly #firstLeaf: number;
  readonly #levels: ReturnType<typeof levelsOf>;

  /** @param boxes as `boxesOf` made them. */
  constructor(boxes: Float64Array, segments: number) {
    this.boxes = boxes;
    this.nodeCount = boxes.length / 4;
    this.#levels = levelsOf(segments);
    this.#firstLeaf = this.#levels.at(-1)![0];
  }

  /** The boxes of a graph's segments in degrees, as its file keeps them. */
  static boxesOf({ shape, shapeFirst }: Shapes): Float64Array {
    const segments = shapeFirst.length - 1;
    const nodeCount = levelBoundsOf(segments, NODE_SIZE)[0]![1];
    const boxes = new Float64Array(4 * nodeCount);
    for (let at = 0; at < boxes.length; at += 4) boxes.set([Infinity, Infinity, -Infinity, -Infinity], at);
    const tree = new SegmentTree(boxes, segments);
    const leaf = tree.#firstLeaf;
    for (let segment = 0; segment < segments; segment++)
      for (let v = 2 * shapeFirst[segment]!; v < 2 * shapeFirst[segment + 1]!; v += 2) {
        const [x, y] = [shape[v]! / UNITS, shape[v + 1]! / UNITS];
        widen(boxes, 4 * (leaf + segment), x, y, x, y);
      }
    for (let node = leaf - 1; node >= 0; node--)
      for (let child = tree.childOf(node); child < tree.childEnd(node); child++) {
        const at = 4 * child;
        widen(boxes, 4 * node, boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!);
      }
    return boxes;
  }

  isLeaf(node: number): boolean {
    return node >= this.#firstLeaf;
  }

  featureOf(leaf: number): number {
    return leaf - this.#firstLeaf;
  }

  childOf(node: number): number {
    const [start, , below] = this.#levels.find(([from, end]) => node >= from && node < end)!;
    return below + (node - start) * NODE_SIZE;
  }

  childEnd(node: number): number {
    const level = this.#levels.findIndex(([from, end]) => node >= from && node < end);
    return Math.min(this.childOf(node) + NODE_SIZE, this.#levels[level + 1]![1]);
  }
}
