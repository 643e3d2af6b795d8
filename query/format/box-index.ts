import { type Box, union } from '../../datasets/geometry.ts';
import { hilbert } from '../geometry/hilbert.ts';
import { levelBoundsOf, PackedRTree, packNodes } from './packed-rtree.ts';

const NODE_SIZE = 16;

/** Boxes found by where they lie: a packed R-tree in Hilbert order, so that 3,200 cost what ten do. */
export class BoxIndex {
  readonly #tree: PackedRTree;
  readonly #places: Uint32Array;

  /** @param boxes of any plane; a null is never found. */
  constructor(boxes: readonly (Box | null)[]) {
    let all: Box | null = null;
    for (const box of boxes) all = box ? union(all, box) : all;
    const [west, south, east, north] = all ?? [0, 0, 0, 0];
    /** Column or row of a middle on a grid of 16 bits over all boxes. */
    const cell = (from: number, to: number, low: number, high: number) =>
      high > low ? Math.floor((((from + to) / 2 - low) / (high - low)) * 0xffff) : 0;
    const rankOf = ([minX, minY, maxX, maxY]: Box) =>
      hilbert(cell(minX, maxX, west, east), cell(minY, maxY, south, north));
    const ranks = boxes.map(box => (box ? rankOf(box) : 0));
    const places = Uint32Array.from(boxes.keys())
      .filter(i => boxes[i] !== null)
      .sort((a, b) => ranks[a]! - ranks[b]!);
    const [firstLeaf, nodeCount] = places.length ? levelBoundsOf(places.length, NODE_SIZE)[0]! : [0, 0];
    const nodes = new Float64Array(nodeCount * 4);
    const placeOf = (leaf: number) => (firstLeaf + leaf) * 4;
    places.forEach((place, leaf) => {
      nodes.set(boxes[place]!, placeOf(leaf));
    });
    const firstChild = places.length ? packNodes(places.length, NODE_SIZE, nodes, nodes, placeOf) : new Uint32Array();
    const offsets = new Float64Array(places.length + 1);
    this.#tree = new PackedRTree({ nodeSize: NODE_SIZE, boxes: nodes, offsets, firstChild });
    this.#places = places;
  }

  /** Places, in the list that this was made of, of the boxes that meet one of these, ascending, each once. */
  meeting(boxes: readonly Box[]): number[] {
    const found: number[] = [];
    for (const box of boxes)
      this.#tree.search(box, leaf => {
        found.push(this.#places[leaf]!);
      });
    if (found.length > 1) found.sort((a, b) => a - b);
    return boxes.length > 1 ? found.filter((place, i) => place !== found[i - 1]) : found;
  }
}
