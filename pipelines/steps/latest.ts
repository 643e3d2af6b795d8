import type { Value } from '../../datasets/dataset.ts';
import type { IntakeRow } from './intake.ts';

/** Keeps, of rows that share a key, the one with the greatest value of a column; of equal ones the first. */
export class Latest {
  readonly #key: string;
  readonly #column: string;
  readonly #rows = new Map<Value, IntakeRow>();

  constructor(key: string, column: string) {
    this.#key = key;
    this.#column = column;
  }

  add(row: IntakeRow): void {
    const key = row.properties[this.#key] ?? null;
    const latest = this.#rows.get(key);
    const value = row.properties[this.#column] ?? null;
    const best = latest?.properties[this.#column] ?? null;
    if (!latest || best === null || (value !== null && value > best)) this.#rows.set(key, row);
  }

  /** In the order in which their keys came. */
  rows(): Iterable<IntakeRow> {
    return this.#rows.values();
  }

  get size(): number {
    return this.#rows.size;
  }
}
