import type { Value } from '../../datasets/dataset.ts';
import type { IntakeRow } from './intake.ts';

interface Members {
  readonly first: IntakeRow;
  readonly sums: Map<Value, number>;
}

/**
 * Makes one row from the rows that share a key. One column is summed. Another takes the value whose rows have the largest sum (of
 * equal sums the first). All other values are those of the first row.
 */
export class Group {
  readonly #key: string;
  readonly #sum: string;
  readonly #of: string;
  readonly #groups = new Map<Value, Members>();

  /** @param key the layer's join key, @param sum the column that is added up, @param of the column of the largest part. */
  constructor(key: string, { sum, of }: { readonly sum: string; readonly of: string }) {
    this.#key = key;
    this.#sum = sum;
    this.#of = of;
  }

  /** Adds a row. @returns false if the row has no key. */
  add(row: IntakeRow): boolean {
    const key = row.properties[this.#key] ?? null;
    if (key === null) return false;
    let members = this.#groups.get(key);
    if (!members) {
      members = { first: row, sums: new Map() };
      this.#groups.set(key, members);
    }
    const part = row.properties[this.#of] ?? null;
    members.sums.set(part, (members.sums.get(part) ?? 0) + Number(row.properties[this.#sum] ?? 0));
    return true;
  }

  /** Yields one row for each key, in the order in which the keys came. */
  *rows(): Generator<IntakeRow> {
    for (const { first, sums } of this.#groups.values()) {
      const [largest] = [...sums].sort((a, b) => b[1] - a[1]);
      const total = [...sums.values()].reduce((sum, part) => sum + part, 0);
      yield { ...first, properties: { ...first.properties, [this.#of]: largest![0], [this.#sum]: total } };
    }
  }

  get size(): number {
    return this.#groups.size;
  }
}
