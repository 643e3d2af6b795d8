import type { Value } from '../../../datasets/dataset.ts';
import type { ColumnExpression } from '../../../datasets/place/place.ts';

/** Different values that are remembered of those for which nothing was found. */
const REMEMBERED = 20;

/** How often the lookups and patterns of one column, or a join, found something. */
export class Tally {
  /** Rows that had something to look up, and those for which something was found. */
  lookups = 0;
  found = 0;
  /** Rows without a value where an `otherwise` stands, which fills only values that are there. */
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

  /** Values for which nothing was found, with their rows, the most frequent of those remembered first. */
  misses(): [value: string, rows: number][] {
    return [...this.#misses].sort((a, b) => b[1] - a[1]);
  }

  /** A filler that counts a row once, however many lookups its expression has: found where one of them found something. */
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
