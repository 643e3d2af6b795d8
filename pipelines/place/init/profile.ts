import type { Value } from '../../../datasets/dataset.ts';
import type { Row } from '../../../ingest/reader.ts';

/** Most distinct values of a column that are counted; a column with more does not hold a list of values. */
const COUNTED = 3000;
/** Most distinct values of a column that are kept as keys. */
const KEYS = 300_000;

/** Most distinct names of a column that are counted; a column with more holds names, not numbers. */
const NAMES = 200;
/** A text without a digit, or the name of a route. */
const NAME = /^(?:\D+|[A-Z]{1,5}[- ]\d{1,4}[A-Z]?)$/i;

/** Statistics of one column of a file. */
export interface Profile {
  readonly name: string;
  /** Rows read, and the number of those without a value (null, blank text). */
  readonly rows: number;
  readonly nulls: number;
  /** Values and how often each occurs, the most frequent first; incomplete if `listed` is false. */
  readonly values: ReadonlyMap<Exclude<Value, null>, number>;
  /** Whether `values` is complete. */
  readonly listed: boolean;
  /** Texts that are names and no numbers, such as WATER and US-2, and how often each occurs, also where `values` is incomplete. */
  readonly names: ReadonlyMap<string, number>;
  /** No value occurs twice. */
  readonly unique: boolean;
  /** Number of present values that can be read as numbers, and as integers. */
  readonly numbers: number;
  readonly integers: number;
  readonly min: number;
  readonly max: number;
  /** Whether the values are published as numbers, not as text. */
  readonly numeric: boolean;
  /** Shortest and longest text. */
  readonly lengths: readonly [number, number];
  /** Hashes of the distinct values in key form (capitals, letters and digits only); null if they are too many or too few. */
  readonly keys: ReadonlySet<number> | null;
}

/** Returns the number of present values. */
export const presentIn = (profile: Profile): number => profile.rows - profile.nulls;

/** Returns a value in key form: capital letters and digits, without leading zeros; '' for no value. */
export function keyForm(value: Value): string {
  return String(value ?? '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/^0+(?=.)/, '');
}

/** Returns a 52-bit hash of a text (two rounds of FNV-1a with different offsets). */
export function hashOf(text: string): number {
  let a = 0x811c9dc5;
  let b = 0x2f0b4c47;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x01000197);
  }
  return (a >>> 0) * 0x100000 + ((b >>> 0) & 0xfffff);
}

/** Reads a published number, plain or with a dollar sign and thousands commas; NaN for other text. */
export function numberIn(value: Exclude<Value, null>): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number.NaN;
  const text = value.replace(/^([-+]?)\$/, '$1');
  const plain = /^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text) ? text.replaceAll(',', '') : text;
  return /\d/.test(plain) ? Number(plain) : Number.NaN;
}

/** Collects the statistics of one column. */
class ColumnProfiler {
  readonly #name: string;
  readonly #values = new Map<Exclude<Value, null>, number>();
  #keys: Set<number> | null = new Set();
  #present = 0;
  #listed = true;
  readonly #names = new Map<string, number>();
  #numbers = 0;
  #integers = 0;
  #native = 0;
  #min = Infinity;
  #max = -Infinity;
  #shortest = Infinity;
  #longest = 0;

  constructor(name: string) {
    this.#name = name;
  }

  add(published: Row['properties'][string]): void {
    if (published === null || typeof published === 'object') return;
    const value = typeof published === 'string' ? published.replace(/^[\s\0]+|[\s\0]+$/g, '') : published;
    if (value === '' || (typeof value === 'number' && !Number.isFinite(value))) return;
    this.#present++;
    const counted = this.#values.get(value);
    if (counted !== undefined) this.#values.set(value, counted + 1);
    else if (this.#values.size < COUNTED) this.#values.set(value, 1);
    else this.#listed = false;
    if (typeof value === 'string' && this.#names.size <= NAMES && NAME.test(value))
      this.#names.set(value, (this.#names.get(value) ?? 0) + 1);
    const number = numberIn(value);
    if (!Number.isNaN(number)) {
      this.#numbers++;
      if (Number.isInteger(number)) this.#integers++;
      if (number < this.#min) this.#min = number;
      if (number > this.#max) this.#max = number;
    }
    if (typeof value === 'number') this.#native++;
    const { length } = String(value);
    if (length < this.#shortest) this.#shortest = length;
    if (length > this.#longest) this.#longest = length;
    if (this.#keys) {
      this.#keys.add(hashOf(keyForm(value)));
      // A column with few values is not a key, and neither is long text.
      if (this.#keys.size > KEYS || (this.#present === 2000 && this.#keys.size < 100)) this.#keys = null;
    }
  }

  finish(rows: number): Profile {
    const sorted = [...this.#values].sort((a, b) => b[1] - a[1]);
    return {
      name: this.#name,
      rows,
      nulls: rows - this.#present,
      values: new Map(sorted),
      listed: this.#listed,
      names: this.#names.size > NAMES ? new Map() : this.#names,
      unique: this.#keys !== null && this.#keys.size === this.#present && this.#present > 0,
      numbers: this.#numbers,
      integers: this.#integers,
      min: this.#min,
      max: this.#max,
      numeric: this.#present > 0 && this.#native === this.#present,
      lengths: [this.#present > 0 ? this.#shortest : 0, this.#longest],
      keys: this.#keys,
    };
  }
}

/** Collects the statistics of all columns of a file. */
export class Profiler {
  readonly #columns = new Map<string, ColumnProfiler>();
  #rows = 0;

  /** @param columns names that are known before the first row, in order. */
  constructor(columns: readonly string[]) {
    for (const name of columns) this.#columns.set(name, new ColumnProfiler(name));
  }

  add(row: Row): void {
    this.#rows++;
    for (const name in row.properties) {
      let column = this.#columns.get(name);
      if (!column) {
        column = new ColumnProfiler(name);
        this.#columns.set(name, column);
      }
      column.add(row.properties[name]!);
    }
  }

  finish(): Profile[] {
    return [...this.#columns.values()].map(column => column.finish(this.#rows));
  }
}
