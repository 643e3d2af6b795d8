/** Room at first. */
const LEAST = 4096;

/** Numbers that come one after another: as many as there are, in one piece of memory. */
export class NumberList {
  #numbers = new Float64Array(LEAST);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The numbers so far. They share memory with the list until more come. */
  get all(): Float64Array {
    return this.#numbers.subarray(0, this.#length);
  }

  /** Makes room for so many more. */
  reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#numbers.length) return;
    const larger = new Float64Array(Math.max(needed, 2 * this.#numbers.length));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  push(value: number): void {
    if (this.#length === this.#numbers.length) this.reserve(1);
    this.#numbers[this.#length++] = value;
  }
}
