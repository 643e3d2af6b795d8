/** The features of a file that is being written, in flat arrays: 48 bytes of memory for each feature. */
export class FeatureTable {
  count = 0;
  /** Distance of the centre of each box along the Hilbert curve. */
  hilbert = new Uint32Array(1024);
  /** Position and length of each feature in the spool, bytes. */
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

  /** Returns the order of the features: along the curve with ties by input, or by input alone. */
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
