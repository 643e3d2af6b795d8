/** Numbers of tasks wrap here, so that what a flag holds fits 31 bits. */
const TASKS = 2 ** 29;
const RAISED = 1;

/**
 * Flags that a thread shares with its workers: one block of shared memory for good, because sending such memory with
 * every request costs more than small requests do. A flag is given out again only once it was given back. Beside being
 * up or down a flag says which task began with it: of several that were sent for one request only the first may.
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

  /** A flag, down, with which no task began. @throws RangeError when all are out. */
  take(): number {
    const flag = this.#free.pop();
    if (flag === undefined) throw new RangeError(`All ${this.block.length} flags are out`);
    Atomics.store(this.block, flag, 0);
    return flag;
  }

  raise(flag: number): void {
    Atomics.or(this.block, flag, RAISED);
  }

  /** Whether it is down and no task has begun with it. */
  isUntouched(flag: number): boolean {
    return Atomics.load(this.block, flag) === 0;
  }

  /** Whether a task of this number began with it. */
  isClaimedBy(flag: number, task: number): boolean {
    return Atomics.load(this.block, flag) >> 1 === numberOf(task);
  }

  /** Once nobody looks at the flag any more. */
  giveBack(flag: number): void {
    this.#free.push(flag);
  }
}

/** Above 0, because 0 is no task. */
const numberOf = (task: number): number => 1 + (task % TASKS);

/** Whether a flag of a block is up. */
export const isRaised = (block: Int32Array, flag: number): boolean => (Atomics.load(block, flag) & RAISED) !== 0;

/** Claims a flag of a block for a task. @returns false where another task has claimed it. */
export function claim(block: Int32Array, flag: number, task: number): boolean {
  const was = Atomics.compareExchange(block, flag, 0, numberOf(task) << 1);
  return was === 0 || was === RAISED;
}
