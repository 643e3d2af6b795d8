import type { BoxTree } from '../geometry/box-tree-nearest.ts';
import { levelBoundsOf, type PackedRTree, packNodes } from './packed-rtree.ts';

const NODE_SIZE = 16;

/**
 * A packed R-tree over some features of a file, in file order (which is a Hilbert order, so neighbours stay together):
 * what a search under a rare condition walks instead of every feature near and far.
 */
export class FilteredTree implements BoxTree {
  readonly nodeCount: number;
  readonly boxes: Float64Array;
  readonly #features: Uint32Array;
  readonly #firstLeaf: number;
  readonly #firstChild: Uint32Array;

  /** @param features numbers of the features that remain, ascending. */
  constructor(whole: PackedRTree, features: Uint32Array) {
    this.#features = features;
    const levels = features.length ? levelBoundsOf(features.length, NODE_SIZE) : [];
    this.nodeCount = levels[0]?.[1] ?? 0;
    this.#firstLeaf = levels[0]?.[0] ?? 0;
    this.boxes = new Float64Array(this.nodeCount * 4);
    features.forEach((feature, i) => {
      const from = whole.leafOf(feature) * 4;
      this.boxes.set(whole.boxes.subarray(from, from + 4), (this.#firstLeaf + i) * 4);
    });
    const placeOf = (feature: number) => (this.#firstLeaf + feature) * 4;
    this.#firstChild = features.length
      ? packNodes(features.length, NODE_SIZE, this.boxes, this.boxes, placeOf)
      : new Uint32Array();
  }

  isLeaf(node: number): boolean {
    return node >= this.#firstLeaf;
  }

  featureOf(leaf: number): number {
    return this.#features[leaf - this.#firstLeaf]!;
  }

  childOf(node: number): number {
    return this.#firstChild[node]!;
  }

  childEnd(node: number): number {
    return node + 1 < this.#firstLeaf ? this.#firstChild[node + 1]! : this.nodeCount;
  }

  /** Memory in bytes, roughly. */
  get bytes(): number {
    return this.nodeCount * 36 + this.#features.byteLength + 200;
  }
}
