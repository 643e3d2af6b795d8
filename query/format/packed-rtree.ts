import type { Box } from '../../datasets/geometry.ts';
import { sharedDoubles, sharedWords } from './shared-memory.ts';

/** Bytes of a node in the file: its box and a 64-bit number. */
export const NODE_BYTES = 40;

/**
 * First and end node of every level, leaves first; the root is node 0 (FlatGeobuf's generateLevelBounds).
 * @param count features, at least 1
 * @param nodeSize children a node, at least 2
 */
export function levelBoundsOf(count: number, nodeSize: number): [start: number, end: number][] {
  const sizes = [count];
  do sizes.push(Math.ceil(sizes.at(-1)! / nodeSize));
  while (sizes.at(-1)! > 1);
  let end = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map(size => {
    end -= size;
    return [end, end + size];
  });
}

/** Bytes of the index in a file; an empty layer has none. @param nodeSize 0 for a file without index. */
export function indexBytesOf(count: number, nodeSize: number): number {
  return count > 0 && nodeSize > 0 ? levelBoundsOf(count, Math.max(2, nodeSize))[0]![1] * NODE_BYTES : 0;
}

/**
 * Packs boxes that stand in feature order into the inner nodes of a tree.
 * @param count features, at least 1. @param nodeSize children a node, at least 2.
 * @param inner gets the boxes of the inner nodes, four numbers each.
 * @param leaves boxes of the features. @param placeOf where in it a feature's box begins.
 * @returns the first child of every inner node.
 */
export function packNodes(
  count: number,
  nodeSize: number,
  inner: Float64Array,
  leaves: Float64Array,
  placeOf: (feature: number) => number,
): Uint32Array {
  const levels = levelBoundsOf(count, nodeSize);
  const firstLeaf = levels[0]![0];
  const firstChild = new Uint32Array(firstLeaf);
  for (let level = 1; level < levels.length; level++) {
    const [start, end] = levels[level]!;
    const [childStart, childEnd] = levels[level - 1]!;
    for (let node = start; node < end; node++) {
      const first = childStart + (node - start) * nodeSize;
      firstChild[node] = first;
      let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let child = first; child < Math.min(first + nodeSize, childEnd); child++) {
        const boxes = level === 1 ? leaves : inner;
        const at = level === 1 ? placeOf(child - firstLeaf) : child * 4;
        minX = Math.min(minX, boxes[at]!);
        minY = Math.min(minY, boxes[at + 1]!);
        maxX = Math.max(maxX, boxes[at + 2]!);
        maxY = Math.max(maxY, boxes[at + 3]!);
      }
      inner[node * 4] = minX;
      inner[node * 4 + 1] = minY;
      inner[node * 4 + 2] = maxX;
      inner[node * 4 + 3] = maxY;
    }
  }
  return firstChild;
}

/**
 * Writes the index as PackedRTree.read reads it: root first, each node its box, then the number of its first child or
 * the byte offset of its feature.
 * @param boxes of the features, @param placeOf where in it one begins, @param bytesOf length of a feature, all by its
 *   number in file order. @param write gets a node; its bytes are used again.
 */
export function writePackedRTree(
  count: number,
  nodeSize: number,
  boxes: Float64Array,
  placeOf: (feature: number) => number,
  bytesOf: (feature: number) => number,
  write: (node: Uint8Array) => void,
): void {
  const inner = new Float64Array(levelBoundsOf(count, nodeSize)[0]![0] * 4);
  const firstChild = packNodes(count, nodeSize, inner, boxes, placeOf);
  const bytes = new Uint8Array(NODE_BYTES);
  const view = new DataView(bytes.buffer);
  const put = (from: Float64Array, at: number, number: number) => {
    for (let i = 0; i < 4; i++) view.setFloat64(i * 8, from[at + i]!, true);
    view.setBigUint64(32, BigInt(number), true);
    write(bytes);
  };
  firstChild.forEach((child, node) => {
    put(inner, node * 4, child);
  });
  for (let feature = 0, offset = 0; feature < count; feature++) {
    put(boxes, placeOf(feature), offset);
    offset += bytesOf(feature);
  }
}

/** The arrays of a tree, in memory that threads share. */
export interface SharedTree {
  readonly nodeSize: number;
  /** As in PackedRTree. */
  readonly boxes: Float64Array;
  readonly offsets: Float64Array;
  /** First child of every inner node. */
  readonly firstChild: Uint32Array;
}

/**
 * A packed R-tree in flat arrays. Nodes are numbered as in the file: root 0, then level by level, leaves last in
 * feature order; an empty tree has no nodes.
 */
export class PackedRTree {
  readonly nodeCount: number;
  /** First and end node of every level, leaves first. */
  readonly levelBounds: readonly (readonly [start: number, end: number])[];
  /** minX, minY, maxX, maxY (lng,lat WGS84) of every node. */
  readonly boxes: Float64Array;
  /** Byte offset of each feature from the first one, and the end of the last. */
  readonly offsets: Float64Array;
  readonly #firstLeaf: number;
  readonly #firstChild: Uint32Array;
  readonly #nodeSize: number;

  /** @param tree of another thread, which goes on sharing its memory; see `read` for one that stands in a file. */
  constructor({ nodeSize, boxes, offsets, firstChild }: SharedTree) {
    const count = offsets.length - 1;
    this.#nodeSize = nodeSize;
    this.levelBounds = count ? levelBoundsOf(count, nodeSize) : [];
    this.nodeCount = this.levelBounds[0]?.[1] ?? 0;
    this.#firstLeaf = this.levelBounds[0]?.[0] ?? 0;
    this.boxes = boxes;
    this.offsets = offsets;
    this.#firstChild = firstChild;
  }

  /**
   * @param bytes the index as it stands in the file: exactly NODE_BYTES a node.
   * @param count features, 0 for an empty tree
   * @param dataBytes length of all features together
   * @throws RangeError saying which node contradicts the packed layout, its parent or the file's size.
   */
  static read(bytes: Uint8Array, count: number, nodeSize: number, dataBytes: number): PackedRTree {
    const [firstLeaf, nodeCount] = count ? levelBoundsOf(count, nodeSize)[0]! : [0, 0];
    const boxes = sharedDoubles(nodeCount * 4);
    const offsets = sharedDoubles(count + 1);
    const firstChild = sharedWords(firstLeaf);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let node = 0; node < nodeCount; node++) {
      const at = node * NODE_BYTES;
      for (let i = 0; i < 4; i++) boxes[node * 4 + i] = view.getFloat64(at + i * 8, true);
      // Two halves instead of a BigInt: a damaged high half only makes the number too large, which is checked.
      const number = view.getUint32(at + 32, true) + view.getUint32(at + 36, true) * 2 ** 32;
      if (node >= firstLeaf) offsets[node - firstLeaf] = number;
      else firstChild[node] = number <= nodeCount ? number : 0;
    }
    offsets[count] = dataBytes;
    const tree = new PackedRTree({ nodeSize, boxes, offsets, firstChild });
    tree.#check(nodeSize);
    return tree;
  }

  /** What another thread makes the same tree of, without a copy. */
  get shared(): SharedTree {
    return { nodeSize: this.#nodeSize, boxes: this.boxes, offsets: this.offsets, firstChild: this.#firstChild };
  }

  isLeaf(node: number): boolean {
    return node >= this.#firstLeaf;
  }

  /** Feature of a leaf, 0-based in file order. */
  featureOf(leaf: number): number {
    return leaf - this.#firstLeaf;
  }

  /** Leaf of a feature. */
  leafOf(feature: number): number {
    return feature + this.#firstLeaf;
  }

  /** First child of an inner node; the others follow it up to childEnd(node). */
  childOf(node: number): number {
    return this.#firstChild[node]!;
  }

  /** End (exclusive) of an inner node's children. */
  childEnd(node: number): number {
    return node + 1 < this.#firstLeaf ? this.#firstChild[node + 1]! : this.nodeCount;
  }

  /** See FeatureFile.search. */
  search(box: Box, visit: (feature: number) => unknown, from = 0): void {
    if (this.nodeCount === 0) return;
    this.#searchNodes(0, 1, this.levelBounds.length - 1, box, visit, from ? this.#pathTo(from) : null);
  }

  /**
   * Searches below the nodes of one level that follow one another.
   * @param path nodes before the one on it, level by level, hold features only that are left out; null leaves none out.
   * @returns false when the visitor has seen enough.
   */
  #searchNodes(
    first: number,
    end: number,
    level: number,
    box: Box,
    visit: (feature: number) => unknown,
    path: readonly number[] | null,
  ): boolean {
    const { boxes } = this;
    const [minX, minY, maxX, maxY] = box;
    for (let node = path ? Math.max(first, path[level]!) : first; node < end; node++) {
      const at = node * 4;
      if (boxes[at]! > maxX || boxes[at + 1]! > maxY || boxes[at + 2]! < minX || boxes[at + 3]! < minY) continue;
      if (level === 0) {
        if (visit(node - this.#firstLeaf) === false) return false;
      } else if (!this.#searchNodes(this.#firstChild[node]!, this.childEnd(node), level - 1, box, visit, path))
        return false;
    }
    return true;
  }

  /** Nodes from a feature's leaf up to the root, leaf first. */
  #pathTo(feature: number): number[] {
    const path: number[] = [];
    let index = feature;
    for (const [start, end] of this.levelBounds) {
      path.push(start + index < end ? start + index : end);
      index = Math.floor(index / this.#nodeSize);
    }
    return path;
  }

  #check(nodeSize: number): void {
    const { boxes, offsets, levelBounds } = this;
    for (let node = 0; node < this.nodeCount; node++) {
      const at = node * 4;
      // Written so that NaN fails too.
      if (!(boxes[at]! <= boxes[at + 2]! && boxes[at + 1]! <= boxes[at + 3]!))
        throw new RangeError(`box of index node ${node} is inside out`);
    }
    for (let level = 1; level < levelBounds.length; level++) {
      const [start, end] = levelBounds[level]!;
      const [childStart, childEnd] = levelBounds[level - 1]!;
      for (let node = start; node < end; node++) {
        const first = childStart + (node - start) * nodeSize;
        if (this.#firstChild[node] !== first) throw new RangeError(`index node ${node} points at the wrong child`);
        for (let child = first; child < Math.min(first + nodeSize, childEnd); child++)
          for (let i = 0; i < 4; i++) {
            const inner = boxes[child * 4 + i]!;
            const outer = boxes[node * 4 + i]!;
            if (i < 2 ? inner < outer : inner > outer)
              throw new RangeError(`index node ${child} lies outside its parent ${node}`);
          }
      }
    }
    for (let i = 0; i + 1 < offsets.length; i++)
      if ((i === 0 && offsets[0] !== 0) || !(offsets[i]! < offsets[i + 1]!))
        throw new RangeError(`offset of feature ${i} does not fit its neighbors or the file's size`);
  }
}
