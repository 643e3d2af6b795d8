import type { HeldCodes } from '../columns/held-column.ts';
import { type Operand, passes, type Test } from '../request/filter.ts';
import type { ColumnOf, RowTest } from './row-test.ts';

/** Share of rows up to which those of one code are listed; beyond it a scan soon finds as many as a page needs. */
const RARE = 1 / 3;
/** Rows of several codes up to which they are put in one order. */
const FEW = 1024;

/** A test of a column with few values: each is judged once. */
export class CodeTest implements RowTest {
  readonly share: number;
  readonly rows: Uint32Array | null;
  readonly sure = true;
  readonly failed: Uint8Array | null;
  readonly #column: ColumnOf<HeldCodes>;
  /** 1 for each code that passes. */
  readonly #passing: Uint8Array;

  constructor(test: Test, column: ColumnOf<HeldCodes>) {
    this.#column = column;
    this.failed = column.failed;
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
