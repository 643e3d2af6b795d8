import type { HeldColumn } from '../search/columns/held-column.ts';
import type { Test } from '../search/request/filter.ts';

/** A name whose values a set is ranked, grouped or measured by. */
export interface SetField {
  /** A catalog name. */
  readonly name: string;
  readonly kind: Test['kind'];
}

/** Milliseconds of a day. */
const DAY_MS = 86_400_000;

/** A number of a column as answers have it: instants as their ISO text. */
export function valueOfNumber(kind: Test['kind'], value: number): number | string {
  if (kind !== 'date' && kind !== 'timestamp') return value;
  const text = new Date(value).toISOString();
  return kind === 'date' && value % DAY_MS === 0 ? text.slice(0, 10) : text;
}

/** Texts as numbers: those of all counties, each once. */
export class TextNumbers {
  readonly #numbers = new Map<string, number>();
  readonly texts: string[] = [];

  of(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.length;
      this.#numbers.set(text, number);
      this.texts.push(text);
    }
    return number;
  }

  /** By number of a text: its place among all, by code point. */
  get ranks(): Float64Array {
    const ranks = new Float64Array(this.texts.length);
    const order = [...this.texts.keys()].sort((a, b) => compareTexts(this.texts[a]!, this.texts[b]!));
    for (const [rank, number] of order.entries()) ranks[number] = rank;
    return ranks;
  }
}

/** Compares by UTF-16 code unit, as nothing in a set depends on a language. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The values of a column as numbers by row, NaN where there is none: instants as epoch milliseconds, booleans 0 and 1, texts by
 * their number.
 * @param column of codes or numbers.
 */
export function numbersOf(column: HeldColumn, texts: TextNumbers): Float64Array {
  if (column.form === 'numbers') return column.values;
  if (column.form === 'hashes') throw new TypeError('A column of hashes holds no values');
  const { codes, dictionary, count } = column;
  const byCode = Float64Array.from(dictionary, value => {
    if (value === null) return Number.NaN;
    return typeof value === 'string' ? texts.of(value) : Number(value);
  });
  const numbers = new Float64Array(count);
  for (let row = 0; row < count; row++) numbers[row] = byCode[codes[row]!]!;
  return numbers;
}
