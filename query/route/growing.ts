type Numbers = Int32Array | Uint32Array | Float64Array;

/** A typed array that grows at its end. */
export class Growing<T extends Numbers> {
  length = 0;
  /** Longer than `length`. */
  array: T;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.array = make(1024);
  }

  push(value: number): void {
    this.reserve(1);
    this.array[this.length++] = value;
  }

  /** Makes room for so many more. */
  reserve(more: number): void {
    if (this.length + more <= this.array.length) return;
    const larger = this.#make(Math.max(this.array.length * 2, this.length + more));
    larger.set(this.array.subarray(0, this.length));
    this.array = larger;
  }

  /** What is in it, not copied. */
  get filled(): T {
    return this.array.subarray(0, this.length) as T;
  }
}

/** An empty list of signed 32-bit integers. */
export const growingInts = () => new Growing(length => new Int32Array(length));

/** An empty list of unsigned 32-bit integers. */
export const growingWords = () => new Growing(length => new Uint32Array(length));
