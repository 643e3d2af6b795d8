import { BLOCK, type HeldColumn } from '../search/columns/held-column.ts';
import type { RowTest } from '../search/predicate/row-test.ts';
import { hasValue, type ValueTest } from './set-filter.ts';

/** What a filter says of a row: whether it passes, or that the calculation failed which would tell. */
export const [FAILS, PASSES, UNKNOWN] = [0, 1, 2];

function markFailed(states: Uint8Array, failed: Uint8Array | null): Uint8Array {
  if (failed) for (let row = 0; row < states.length; row++) if (failed[row] === 1) states[row] = UNKNOWN;
  return states;
}

/** What a comparison says of each row of a county. */
export function statesOfTest(test: RowTest, count: number): Uint8Array {
  const states = new Uint8Array(count);
  if (test.share === 0) return markFailed(states, test.failed);
  if (test.rows) {
    const rows = test.sure ? test.rows : test.rows.slice();
    const kept = test.sure ? rows.length : test.keep(rows, rows.length);
    for (let i = 0; i < kept; i++) states[rows[i]!] = PASSES;
    return markFailed(states, test.failed);
  }
  const out = new Uint32Array(BLOCK);
  for (let from = 0; from < count; from += BLOCK) {
    if (test.mayPass && !test.mayPass(from / BLOCK)) continue;
    const found = test.scan(from, Math.min(count, from + BLOCK), out);
    for (let i = 0; i < found; i++) states[out[i]!] = PASSES;
  }
  return markFailed(states, test.failed);
}

/** What a question for a value says of each row. @param column not one of hashes where the text of its values is asked for. */
export function statesOfValue(test: ValueTest, column: HeldColumn): Uint8Array {
  const { count, failed } = column;
  const states = new Uint8Array(count);
  if (column.form === 'numbers') {
    const { values } = column;
    for (let row = 0; row < count; row++) {
      const value = values[row]!;
      if (hasValue(test, Number.isNaN(value) ? null : value)) states[row] = PASSES;
    }
  } else if (column.form === 'hashes') {
    const { present } = column;
    for (let row = 0; row < count; row++) if (hasValue(test, present[row] === 1 ? '' : null)) states[row] = PASSES;
  } else {
    const { codes, dictionary } = column;
    const passing = Uint8Array.from(dictionary, value => (hasValue(test, value) ? PASSES : FAILS));
    for (let row = 0; row < count; row++) states[row] = passing[codes[row]!]!;
  }
  return markFailed(states, failed);
}
