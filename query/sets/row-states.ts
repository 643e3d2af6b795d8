import { BLOCK, type HeldColumn } from '../search/columns/held-column.ts';
import type { RowTest } from '../search/predicate/row-test.ts';
import { RowBits } from './row-bits.ts';
import { hasValue, type ValueTest } from './set-filter.ts';

/** What a filter says of the rows of a county. */
export interface RowStates {
  readonly passes: RowBits;
  /** Rows whose calculation failed, which would tell: none of them passes. Null where there are none. */
  readonly unknown: RowBits | null;
}

function statesWith(passes: RowBits, failed: Uint8Array | null): RowStates {
  if (!failed) return { passes, unknown: null };
  const unknown = new RowBits(passes.count);
  for (let row = 0; row < failed.length; row++) if (failed[row] === 1) unknown.add(row);
  return { passes: passes.except(unknown), unknown };
}

/** What a comparison says of each row of a county. */
export function statesOfTest(test: RowTest, count: number): RowStates {
  const passes = new RowBits(count);
  if (test.share === 0) return statesWith(passes, test.failed);
  if (test.rows) {
    const rows = test.sure ? test.rows : test.rows.slice();
    passes.addFirst(rows, test.sure ? rows.length : test.keep(rows, rows.length));
    return statesWith(passes, test.failed);
  }
  const out = new Uint32Array(BLOCK);
  for (let from = 0; from < count; from += BLOCK) {
    if (test.mayPass && !test.mayPass(from / BLOCK)) continue;
    passes.addFirst(out, test.scan(from, Math.min(count, from + BLOCK), out));
  }
  return statesWith(passes, test.failed);
}

/** What a question for a value says of each row. @param column not one of hashes where the text of its values is asked for. */
export function statesOfValue(test: ValueTest, column: HeldColumn): RowStates {
  const { count, failed } = column;
  const passes = new RowBits(count);
  if (column.form === 'numbers') {
    const { values } = column;
    for (let row = 0; row < count; row++) {
      const value = values[row]!;
      if (hasValue(test, Number.isNaN(value) ? null : value)) passes.add(row);
    }
  } else if (column.form === 'hashes') {
    const { present } = column;
    for (let row = 0; row < count; row++) if (hasValue(test, present[row] === 1 ? '' : null)) passes.add(row);
  } else {
    const { codes, dictionary } = column;
    const passing = Uint8Array.from(dictionary, value => (hasValue(test, value) ? 1 : 0));
    for (let row = 0; row < count; row++) if (passing[codes[row]!] === 1) passes.add(row);
  }
  return statesWith(passes, failed);
}
