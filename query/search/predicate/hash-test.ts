import { firstFrom } from '../columns/ascending.ts';
import { type HeldHashes, hashOf, MOST_HASHED } from '../columns/held-column.ts';
import { passes, type Test } from '../request/filter.ts';
import type { ColumnOf, RowTest } from './row-test.ts';

/** A test of a column with many values, of which hashes alone are held: rows that may pass are read to be sure. */
export class HashTest implements RowTest {
  readonly share: number;
  readonly rows: Uint32Array | null;
  readonly sure = false;
  readonly failed: Uint8Array | null;
  readonly #column: ColumnOf<HeldHashes>;
  readonly #test: Test;
  readonly #valueAt: (row: number) => unknown;

  constructor(test: Test, column: ColumnOf<HeldHashes>, valueAt: (row: number) => unknown) {
    this.#column = column;
    this.failed = column.failed;
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
    for (let i = firstFrom(keys, first); i < keys.length && keys[i]! < first + MOST_HASHED; i++)
      rows.push(keys[i]! - first);
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
