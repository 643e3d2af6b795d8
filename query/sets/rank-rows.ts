import { numbersOf, type SetField, TextNumbers } from './column-values.ts';
import type { CountySet } from './county-set.ts';
import { NumberList } from './number-list.ts';
import type { Placed } from './rank-order.ts';
import { MOST_VALUES, SetTooLarge } from './set-size.ts';

/** What an order of parcels is made of: the rows, and by field their values. */
export class RankRows {
  readonly places: Placed[] = [];
  readonly values: readonly NumberList[];
  readonly texts: readonly TextNumbers[];
  readonly #failed: number[] = [];
  readonly #fields: readonly SetField[];
  length = 0;

  constructor(fields: readonly SetField[]) {
    this.#fields = fields;
    this.values = fields.map(() => new NumberList());
    this.texts = fields.map(() => new TextNumbers());
  }

  /** @throws Fault when a column cannot be read, SetTooLarge. */
  async take(set: CountySet, rows: Uint32Array): Promise<void> {
    if ((this.length + rows.length) * this.#fields.length > MOST_VALUES) throw new SetTooLarge();
    const columns = [];
    for (const field of this.#fields) columns.push(await set.columnOrNone(field));
    const start = this.length;
    for (const [i, column] of columns.entries()) {
      const numbers = numbersOf(column, this.texts[i]!);
      const { failed } = column;
      const list = this.values[i]!;
      list.reserve(rows.length);
      for (let at = 0; at < rows.length; at++) {
        const row = rows[at]!;
        const isFailed = failed !== null && failed[row] === 1;
        if (isFailed) this.#failed.push(start + at);
        list.push(isFailed ? Number.NaN : numbers[row]!);
      }
    }
    this.places.push({ set, start, rows: rows.slice() });
    this.length += rows.length;
  }

  /** 1 of rows that a calculation failed for. */
  get failed(): Uint8Array {
    const failed = new Uint8Array(this.length);
    for (const place of this.#failed) failed[place] = 1;
    return failed;
  }
}
