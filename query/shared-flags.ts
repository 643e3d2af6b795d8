/**
 * Flags that a thread shares with its workers: one block of shared memory for good, because sending such memory with
 * every request costs more than small requests do. A flag is given out again only once it was given back.
 */
export class SharedFlags {
  /** For the workers: element by number of the flag. */
  readonly block: Int32Array;
  readonly #free: number[];

  /** @param size flags that are out at once, at most. */
  constructor(size: number) {
    this.block = new Int32Array(new SharedArrayBuffer(size * 4));
    this.#free = Array.from({ length: size }, (_, i) => size - 1 - i);
  }

  /** A flag, down. @throws RangeError when all are out. */
  take(): number {
    const flag = this.#free.pop();
    if (flag === undefined) throw new RangeError(`All ${this.block.length} flags are out`);
    Atomics.store(this.block, flag, 0);
    return flag;
  }

  raise(flag: number): void {
    Atomics.store(this.block, flag, 1);
  }

  /** Once nobody looks at the flag any more. */
  giveBack(flag: number): void {
    this.#free.push(flag);
  }
}
