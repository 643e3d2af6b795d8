import { firstFrom } from '../columns/ascending.ts';
import { BLOCK, type HeldColumn } from '../columns/held-column.ts';
import type { Test } from '../request/filter.ts';
import { CodeTest } from './code-test.ts';
import { HashTest } from './hash-test.ts';
import { NumberTest } from './number-test.ts';
import type { RowTest } from './row-test.ts';

/** Rows of a list that are looked at together at first, and always where each costs a read: they may fill a page. */
const FEW = 64;

/** Rows of one county that pass every test, or may, from a row on, in stored order, in batches. */
export class RowTests {
  readonly #tests: readonly RowTest[];
  readonly #count: number;
  /** The test with the shortest list of rows. */
  readonly #lister: RowTest | null;
  /** False when no row can pass. */
  readonly possible: boolean;

  constructor(tests: readonly RowTest[], count: number) {
    this.#tests = [...tests].sort((a, b) => a.share - b.share);
    this.#count = count;
    this.possible = tests.every(test => test.share > 0);
    const listers = tests.filter(({ rows }) => rows !== null);
    this.#lister = listers.reduce<RowTest | null>(
      (least, test) => (least && least.rows!.length <= test.rows!.length ? least : test),
      null,
    );
  }

  /** Length of the shortest list of rows that a test has; Infinity where all must be scanned. */
  get listed(): number {
    return this.#lister?.rows?.length ?? Number.POSITIVE_INFINITY;
  }

  /** Rows that are looked at to find all that pass. */
  get looked(): number {
    return Math.min(this.listed, this.#count);
  }

  /** Whether those are read to be sure. */
  get reads(): boolean {
    return this.#tests.some(test => test instanceof HashTest);
  }

  /** Rows that are thought to pass, as if no test had to do with another. */
  get expected(): number {
    return this.#tests.reduce((rows, { share }) => rows * share, this.#count);
  }

  /** @yields ascending rows after `after`; the array is used again for the next batch. */
  *after(after: number): Generator<Uint32Array> {
    if (!this.possible) return;
    if (this.#lister) {
      yield* this.#listed(this.#lister, after);
      return;
    }
    const out = new Uint32Array(BLOCK);
    const [first, ...rest] = this.#tests;
    for (let from = after + 1; from < this.#count; ) {
      const block = Math.floor(from / BLOCK);
      const to = Math.min(this.#count, (block + 1) * BLOCK);
      if (this.#tests.every(test => test.mayPass?.(block) ?? true)) {
        let n = first!.scan(from, to, out);
        for (const test of rest) if (n) n = test.keep(out, n);
        yield out.subarray(0, n);
      } else yield out.subarray(0, 0);
      from = to;
    }
  }

  /** Keeps of a list's first `n` rows those that pass every test; @returns how many. */
  keep(rows: Uint32Array, n: number): number {
    for (const test of this.#tests) if (n) n = test.keep(rows, n);
    return n;
  }

  /** Whether a kept row has a value that could not be computed: it is neither a match nor none. */
  undecided(row: number): boolean {
    return this.#tests.some(({ failed }) => failed?.[row] === 1);
  }

  *#listed(lister: RowTest, after: number): Generator<Uint32Array> {
    const rows = lister.rows!;
    const others = lister.sure ? this.#tests.filter(test => test !== lister) : this.#tests;
    const cheap = others.every(test => test.sure || test.rows === null);
    const out = new Uint32Array(cheap ? BLOCK : FEW);
    let most = FEW;
    for (let i = firstFrom(rows, after + 1); i < rows.length; ) {
      let n = Math.min(most, rows.length - i);
      most = out.length;
      out.set(rows.subarray(i, i + n));
      i += n;
      for (const test of others) if (n) n = test.keep(out, n);
      yield out.subarray(0, n);
    }
  }
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
