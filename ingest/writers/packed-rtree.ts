import type { Sink } from './sink.ts';

/** Children of a node; FlatGeobuf's default. */
export const NODE_SIZE = 16;
const NODE_BYTES = 40;

/** Features of a file that is being written: flat arrays of 48 bytes each, and nothing else in memory. */
export class FeatureTable {
  count = 0;
  /** Distance of the centre of each box along the curve. */
  hilbert = new Uint32Array(1024);
  /** Place and length of each feature in the spool, bytes. */
  offset = new Float64Array(1024);
  size = new Uint32Array(1024);
  /** minX, minY, maxX, maxY of each. */
  box = new Float64Array(4096);

  add(hilbert: number, offset: number, size: number, box: readonly [number, number, number, number]): void {
    if (this.count === this.hilbert.length) this.#grow();
    this.hilbert[this.count] = hilbert;
    this.offset[this.count] = offset;
    this.size[this.count] = size;
    this.box.set(box, this.count * 4);
    this.count++;
  }

  /** Positions along the curve, ties as they came; or all as they came. */
  order(by: 'hilbert' | 'input'): Uint32Array {
    const order = new Uint32Array(this.count).map((_, i) => i);
    const { hilbert } = this;
    return by === 'input' ? order : order.sort((a, b) => hilbert[a]! - hilbert[b]! || a - b);
  }

  #grow(): void {
    const grown = <T extends Uint32Array | Float64Array>(empty: T, old: T): T => {
      empty.set(old);
      return empty;
    };
    const length = this.count * 2;
    this.hilbert = grown(new Uint32Array(length), this.hilbert);
    this.offset = grown(new Float64Array(length), this.offset);
    this.size = grown(new Uint32Array(length), this.size);
    this.box = grown(new Float64Array(length * 4), this.box);
  }
}

/** First node of every level in the file, leaves first; the root is node 0 (FlatGeobuf's generateLevelBounds). */
function levelStarts(count: number): { starts: number[]; nodes: number } {
  const sizes = [count];
  do sizes.push(Math.ceil(sizes.at(-1)! / NODE_SIZE));
  while (sizes.at(-1)! > 1);
  const nodes = sizes.reduce((sum, size) => sum + size, 0);
  let start = nodes;
  const starts = sizes.map(size => {
    start -= size;
    return start;
  });
  return { starts, nodes };
}

/**
 * Writes FlatGeobuf's packed R-tree over features in file order: root first, 40 bytes a node (box, then the byte
 * offset of the feature from the first one, or the number of the first child node).
 * @param order positions in the table, at least one.
 */
export function writePackedRTree(table: FeatureTable, order: Uint32Array, sink: Sink): void {
  const { starts, nodes } = levelStarts(order.length);
  const leaves = starts[0]!;
  const inner = new Float64Array(leaves * 4);
  const boxAt = (node: number): Float64Array => {
    if (node < leaves) return inner.subarray(node * 4, node * 4 + 4);
    const at = order[node - leaves]! * 4;
    return table.box.subarray(at, at + 4);
  };
  const firstChild = new Float64Array(leaves);
  for (let level = 1; level < starts.length; level++) {
    const children = starts[level - 1]!;
    const end = level === 1 ? nodes : starts[level - 2]!;
    for (let node = starts[level]!, child = children; child < end; node++) {
      firstChild[node] = child;
      const box = [Infinity, Infinity, -Infinity, -Infinity];
      for (const stop = Math.min(child + NODE_SIZE, end); child < stop; child++) {
        const [minX, minY, maxX, maxY] = boxAt(child) as unknown as [number, number, number, number];
        if (minX < box[0]!) box[0] = minX;
        if (minY < box[1]!) box[1] = minY;
        if (maxX > box[2]!) box[2] = maxX;
        if (maxY > box[3]!) box[3] = maxY;
      }
      inner.set(box, node * 4);
    }
  }
  const bytes = new Uint8Array(NODE_BYTES);
  const view = new DataView(bytes.buffer);
  for (let node = 0, feature = 0; node < nodes; node++) {
    const box = boxAt(node);
    for (let i = 0; i < 4; i++) view.setFloat64(i * 8, box[i]!, true);
    view.setBigUint64(32, BigInt(node < leaves ? firstChild[node]! : feature), true);
    if (node >= leaves) feature += table.size[order[node - leaves]!]!;
    sink.write(bytes);
  }
}
