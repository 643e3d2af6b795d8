/** Rows of 32-bit integers that grow by doubling: four bytes a value, however many millions there are. */
export class IntRows {
  readonly width: number;
  count = 0;
  #values: Int32Array;

  constructor(width: number) {
    this.width = width;
    this.#values = new Int32Array(width * 256);
  }

  /** @param row as many values as the width. @returns the row's number. */
  add(row: readonly number[]): number {
    const at = this.count * this.width;
    if (at + this.width > this.#values.length) {
      const grown = new Int32Array(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    for (let i = 0; i < this.width; i++) this.#values[at + i] = row[i]!;
    return this.count++;
  }

  get(row: number, column: number): number {
    return this.#values[row * this.width + column]!;
  }

  set(row: number, column: number, value: number): void {
    this.#values[row * this.width + column] = value;
  }

  /** Rows in the order of their columns, the first one first; `tie` orders rows whose columns are all equal. */
  sorted(tie: (a: number, b: number) => number = () => 0): Uint32Array {
    const { width } = this;
    const values = this.#values;
    return Uint32Array.from({ length: this.count }, (_, row) => row).sort((a, b) => {
      for (let i = 0; i < width; i++) {
        const difference = values[a * width + i]! - values[b * width + i]!;
        if (difference !== 0) return difference;
      }
      return tie(a, b);
    });
  }
}
