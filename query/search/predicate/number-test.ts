import { firstAfter, firstFrom } from '../columns/ascending.ts';
import type { HeldNumbers } from '../columns/held-column.ts';
import type { Test } from '../request/filter.ts';
import type { ColumnOf, RowTest } from './row-test.ts';

/** The next double above a finite number, or below it (IEEE 754). */
function nextDouble(value: number, up: boolean): number {
  if (!Number.isFinite(value)) return value;
  if (value === 0) return up ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigInt64(0);
  view.setBigInt64(0, bits + (value > 0 === up ? 1n : -1n));
  return view.getFloat64(0);
}

/** Every numeric comparison but `ne` and `in` as a closed range: NaN is in none. */
function rangeOf({ op, operands }: Test): readonly [number, number] | null {
  const a = Number(operands[0]);
  switch (op) {
    case 'eq':
      return [a, a];
    case 'lt':
      return [Number.NEGATIVE_INFINITY, nextDouble(a, false)];
    case 'lte':
      return [Number.NEGATIVE_INFINITY, a];
    case 'gt':
      return [nextDouble(a, true), Number.POSITIVE_INFINITY];
    case 'gte':
      return [a, Number.POSITIVE_INFINITY];
    case 'between':
      return [a, Number(operands[1])];
    default:
      return null;
  }
}

/** A test of numbers, of which each block knows the least and the greatest. */
export class NumberTest implements RowTest {
  readonly share: number;
  readonly rows = null;
  readonly sure = false;
  readonly failed: Uint8Array | null;
  readonly #column: ColumnOf<HeldNumbers>;
  readonly #low: number;
  readonly #high: number;
  /** Of `in`: the values; of `ne`: the one that fails. */
  readonly #members: ReadonlySet<number> | null = null;
  readonly #except: number | null = null;

  constructor(test: Test, column: ColumnOf<HeldNumbers>) {
    this.#column = column;
    this.failed = column.failed;
    const range = rangeOf(test);
    if (range) [this.#low, this.#high] = range;
    else if (test.op === 'in') {
      const members = test.operands.map(Number);
      this.#members = new Set(members);
      this.#low = members.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
      this.#high = members.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    } else {
      this.#except = Number(test.operands[0]);
      [this.#low, this.#high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    }
    this.share = this.#estimate();
  }

  /** From the sample; but none of the rows only where the bounds of all blocks say so. */
  #estimate(): number {
    const blocks = this.#column.least.length;
    let may = false;
    for (let block = 0; block < blocks && !may; block++) may = this.mayPass(block);
    if (!may) return 0;
    const { sample, filled } = this.#column;
    let share: number;
    if (this.#members) share = sample.reduce((n, value) => (this.#passes(value) ? n + 1 : n), 0) / (sample.length || 1);
    else share = (firstAfter(sample, this.#high) - firstFrom(sample, this.#low)) / (sample.length || 1);
    return Math.max(1e-6, share * filled);
  }

  #passes(value: number): boolean {
    if (!(value >= this.#low && value <= this.#high)) return false;
    if (this.#members) return this.#members.has(value);
    return value !== this.#except;
  }

  mayPass(block: number): boolean {
    if (this.#column.failed) return true;
    return this.#column.greatest[block]! >= this.#low && this.#column.least[block]! <= this.#high;
  }

  scan(from: number, to: number, out: Uint32Array): number {
    const { values, failed } = this.#column;
    const [low, high] = [this.#low, this.#high];
    let n = 0;
    if (failed || this.#members || this.#except !== null) {
      for (let i = from; i < to; i++) if (this.#passes(values[i]!) || failed?.[i] === 1) out[n++] = i;
      return n;
    }
    for (let i = from; i < to; i++) {
      const value = values[i]!;
      if (value >= low && value <= high) out[n++] = i;
    }
    return n;
  }

  keep(rows: Uint32Array, n: number): number {
    const { values, failed } = this.#column;
    let kept = 0;
    for (let i = 0; i < n; i++) {
      const row = rows[i]!;
      if (this.#passes(values[row]!) || failed?.[row] === 1) rows[kept++] = row;
    }
    return kept;
  }
}
