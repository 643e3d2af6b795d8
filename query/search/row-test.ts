import { type Operand, passes, type Test } from './filter.ts';
import {
  type HeldCodes,
  type HeldColumn,
  type HeldHashes,
  type HeldNumbers,
  hashOf,
  MOST_HASHED,
} from './held-column.ts';

/**
 * A test over a column in memory. Rows whose value could not be computed are kept, because nothing is known against
 * them: `undecided` tells them apart.
 */
export interface RowTest {
  /** Share of the rows that pass, as far as the column tells; 0 when none can. */
  readonly share: number;
  /** Rows that may pass, ascending, where the column finds them without a scan. */
  readonly rows: Uint32Array | null;
  /** Whether all of `rows` pass; otherwise each must still be kept by `keep`, which reads it. */
  readonly sure: boolean;
  /** False when no row of a block can pass. */
  mayPass(block: number): boolean;
  /** Writes the rows from..to (exclusive) that pass into `out`; @returns how many. */
  scan(from: number, to: number, out: Uint32Array): number;
  /** Keeps of the first `n` rows of a list those that pass; @returns how many. */
  keep(rows: Uint32Array, n: number): number;
  /** Whether a row was kept only because its value could not be computed. */
  undecided(row: number): boolean;
}

/**
 * @param valueAt reads a row's stored value, for columns of which only hashes are held.
 */
export function rowTest(test: Test, column: HeldColumn, valueAt: (row: number) => unknown): RowTest {
  switch (column.form) {
    case 'numbers':
      return new NumberTest(test, column);
    case 'codes':
      return new CodeTest(test, column);
    case 'hashes':
      return new HashTest(test, column, valueAt);
  }
}

type Column<T> = T & Pick<HeldColumn, 'count' | 'failed'>;

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

/** Number of values below a bound in an ascending list. */
export function firstFrom(list: Float64Array | Uint32Array, bound: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Number of values up to a bound. */
const firstAfter = (list: Float64Array, bound: number): number => {
  let at = firstFrom(list, bound);
  while (at < list.length && list[at] === bound) at++;
  return at;
};

class NumberTest implements RowTest {
  readonly share: number;
  readonly rows = null;
  readonly sure = false;
  readonly #column: Column<HeldNumbers>;
  readonly #low: number;
  readonly #high: number;
  /** Of `in`: the values; of `ne`: the one that fails. */
  readonly #members: ReadonlySet<number> | null = null;
  readonly #except: number | null = null;

  constructor(test: Test, column: Column<HeldNumbers>) {
    this.#column = column;
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

  undecided(row: number): boolean {
    return this.#column.failed?.[row] === 1;
  }
}

/** Share of rows up to which those of one code are listed; beyond it a scan soon finds as many as a page needs. */
const RARE = 1 / 3;
/** Rows of several codes up to which they are put in one order. */
const FEW = 1024;

class CodeTest implements RowTest {
  readonly share: number;
  readonly rows: Uint32Array | null;
  readonly sure = true;
  readonly #column: Column<HeldCodes>;
  /** 1 for each code that passes. */
  readonly #passing: Uint8Array;

  constructor(test: Test, column: Column<HeldCodes>) {
    this.#column = column;
    const { dictionary, counts, count } = column;
    // The dictionary holds comparable values: they are judged as they stand.
    const judge = membership(test);
    this.#passing = Uint8Array.from(dictionary, value => (value !== null && judge(value) ? 1 : 0));
    const rows = counts.reduce((sum, rowsOfCode, code) => sum + (this.#passing[code] ? rowsOfCode : 0), 0);
    this.share = count ? rows / count : 0;
    if (column.failed) this.share = Math.max(this.share, 1e-6);
    this.rows = !column.failed && this.share <= RARE ? this.#listed() : null;
  }

  /** The rows of all codes that pass, ascending; null where it is not worth while. */
  #listed(): Uint32Array | null {
    const { rows, starts, counts } = this.#column;
    const lists: Uint32Array[] = [];
    let length = 0;
    for (let code = 0; code < counts.length; code++)
      if (this.#passing[code] && counts[code]) {
        lists.push(rows.subarray(starts[code]!, starts[code]! + counts[code]!));
        length += counts[code]!;
      }
    if (lists.length === 1) return lists[0]!;
    if (length > FEW) return null;
    const all = new Uint32Array(length);
    let at = 0;
    for (const list of lists) {
      all.set(list, at);
      at += list.length;
    }
    return all.sort();
  }

  mayPass(): boolean {
    return this.share > 0;
  }

  scan(from: number, to: number, out: Uint32Array): number {
    const { codes, failed } = this.#column;
    const passing = this.#passing;
    let n = 0;
    if (failed) {
      for (let i = from; i < to; i++) if (passing[codes[i]!] === 1 || failed[i] === 1) out[n++] = i;
      return n;
    }
    for (let i = from; i < to; i++) if (passing[codes[i]!] === 1) out[n++] = i;
    return n;
  }

  keep(rows: Uint32Array, n: number): number {
    const { codes, failed } = this.#column;
    const passing = this.#passing;
    let kept = 0;
    for (let i = 0; i < n; i++) {
      const row = rows[i]!;
      if (passing[codes[row]!] === 1 || failed?.[row] === 1) rows[kept++] = row;
    }
    return kept;
  }

  undecided(row: number): boolean {
    return this.#column.failed?.[row] === 1;
  }
}

/** A test of comparable values; a long `in` asks a set. */
function membership(test: Test): (value: Operand) => boolean {
  if (test.op === 'in') {
    const members = new Set(test.operands);
    return value => members.has(value);
  }
  const { op, operands } = test;
  // What is compared is in comparable form already, of which only its JavaScript type matters.
  const kind = typeof operands[0] === 'number' ? 'number' : 'string';
  return value => passes({ name: test.name, kind, op, operands }, value);
}

class HashTest implements RowTest {
  readonly share: number;
  readonly rows: Uint32Array | null;
  readonly sure = false;
  readonly #column: Column<HeldHashes>;
  readonly #test: Test;
  readonly #valueAt: (row: number) => unknown;

  constructor(test: Test, column: Column<HeldHashes>, valueAt: (row: number) => unknown) {
    this.#column = column;
    this.#test = test;
    this.#valueAt = valueAt;
    if (test.op === 'ne') {
      this.rows = null;
      this.share = column.count ? Math.max(1e-6, column.keys.length / column.count) : 0;
      return;
    }
    const rows: number[] = [];
    for (const operand of new Set(test.operands)) this.#find(String(operand), rows);
    if (column.failed) for (let row = 0; row < column.count; row++) if (column.failed[row]) rows.push(row);
    this.rows = Uint32Array.from(new Set(rows)).sort();
    this.share = this.rows.length / column.count;
  }

  #find(text: string, rows: number[]): void {
    const { keys } = this.#column;
    const first = hashOf(text) * MOST_HASHED;
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[middle]! < first) low = middle + 1;
      else high = middle;
    }
    for (; low < keys.length && keys[low]! < first + MOST_HASHED; low++) rows.push(keys[low]! - first);
  }

  mayPass(): boolean {
    return this.share > 0;
  }

  scan(from: number, to: number, out: Uint32Array): number {
    let n = 0;
    for (let row = from; row < to; row++) if (this.#passes(row)) out[n++] = row;
    return n;
  }

  keep(rows: Uint32Array, n: number): number {
    let kept = 0;
    for (let i = 0; i < n; i++) if (this.#passes(rows[i]!)) rows[kept++] = rows[i]!;
    return kept;
  }

  undecided(row: number): boolean {
    return this.#column.failed?.[row] === 1;
  }

  /** Equal hashes are not equal texts: the row has the last word. */
  #passes(row: number): boolean {
    if (this.#column.failed?.[row] === 1) return true;
    if (this.#column.present[row] !== 1) return false;
    if (this.rows && this.rows[firstFrom(this.rows, row)] !== row) return false;
    if (this.#test.op === 'ne' && !this.#mayEqual(row)) return true;
    return passes(this.#test, this.#valueAt(row));
  }

  #equal: Set<number> | null = null;
  #mayEqual(row: number): boolean {
    if (!this.#equal) {
      const rows: number[] = [];
      this.#find(String(this.#test.operands[0]), rows);
      this.#equal = new Set(rows);
    }
    return this.#equal.has(row);
  }
}
