import type { Value } from '../../../datasets/dataset.ts';
import type { ColumnExpression } from '../../../datasets/place/place.ts';

/** Most distinct values without a hit that are kept. */
const REMEMBERED = 20;

/** Counts how often the lookups and patterns of a column, or a join, found something. */
export class Tally {
  /** Number of rows with a value to look up. */
  lookups = 0;
  found = 0;
  /** Number of rows without a value in a column with `otherwise`, which fills only present values. */
  blanks = 0;
  readonly #misses = new Map<string, number>();

  /** @param value that was looked up, @param found what for: a table that lists it or a pattern that matches. */
  count(value: Value, found: boolean): void {
    this.lookups++;
    if (found) {
      this.found++;
      return;
    }
    const text = String(value);
    const seen = this.#misses.get(text);
    if (seen !== undefined || this.#misses.size < REMEMBERED) this.#misses.set(text, (seen ?? 0) + 1);
  }

  /** Returns values for which nothing was found and their number of rows, the most frequent first. */
  misses(): [value: string, rows: number][] {
    return [...this.#misses].sort((a, b) => b[1] - a[1]);
  }

  /** Returns a filler that counts each row once, even if its expression has several lookups; one hit is enough. */
  byRow<Row, Filled>(fill: (row: Row) => Filled): (row: Row) => Filled {
    return row => {
      const { lookups, found, blanks } = this;
      try {
        return fill(row);
      } finally {
        this.lookups = lookups + Math.min(1, this.lookups - lookups);
        this.found = found + Math.min(1, this.found - found);
        this.blanks = blanks + (this.lookups > lookups ? 0 : Math.min(1, this.blanks - blanks));
      }
    };
  }
}

/** Whether a column expression looks anything up, itself or in its parts. */
export function looksUp(expression: ColumnExpression): boolean {
  if (typeof expression === 'string') return false;
  const { lookup, patterns, from } = expression;
  return lookup !== undefined || patterns !== undefined || (Array.isArray(from) && from.some(looksUp));
}
