import { sharedBytes, sharedDoubles, sharedShorts, sharedWords } from '../../format/shared-memory.ts';
import { comparable, type Operand, type Test } from '../request/filter.ts';

/** Rows judged together: a block of numbers whose bounds rule a test out is not looked at. */
export const BLOCK = 1024;

/** Values of a column of numbers that are looked at to estimate what a test leaves. */
const SAMPLED = 1024;

/** Distinct values up to which a column is held as codes into a dictionary. */
const MOST_CODES = 65_535;

/** Rows whose hash and number fit one double together. */
export const MOST_HASHED = 2 ** 22;

/** Numbers and instants, NaN where there is none. */
export interface HeldNumbers {
  readonly form: 'numbers';
  readonly values: Float64Array;
  /** Least and greatest value of each block; a block without values has Infinity and -Infinity. */
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  /** Some of the values, ascending: enough to tell which test rules out most. */
  readonly sample: Float64Array;
  /** Share of the rows that have a value, by the sample. */
  readonly filled: number;
}

/** Few distinct values: a code a row, 0 where there is none. */
export interface HeldCodes {
  readonly form: 'codes';
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  /** Value of each code, in the comparable form of the column's kind; of code 0 null. */
  readonly dictionary: readonly (Operand | null)[];
  /** Rows of each code. */
  readonly counts: Uint32Array;
  /** The rows of code 0, then those of code 1, and so on, each ascending: a rare value is found without a scan. */
  readonly rows: Uint32Array;
  /** Where the rows of each code begin. */
  readonly starts: Uint32Array;
}

/** Many distinct texts: hashes in order, each with its row, so that equality finds rows without reading them all. */
export interface HeldHashes {
  readonly form: 'hashes';
  /** hash × 2^22 + row, ascending. */
  readonly keys: Float64Array;
  /** 1 where there is a value. */
  readonly present: Uint8Array;
}

/** One column of a county's parcels, in stored order, in memory that threads share. */
export type HeldColumn = (HeldNumbers | HeldCodes | HeldHashes) & {
  readonly count: number;
  /** 1 where the value could not be computed, null where that is nowhere. */
  readonly failed: Uint8Array | null;
  readonly bytes: number;
};

/** A column of which no value could be computed. */
export function unknownColumn(count: number): HeldColumn {
  const failed = sharedBytes(count).fill(1);
  const none = sharedWords(0);
  const codes = sharedBytes(count);
  const counts = Uint32Array.of(count);
  return {
    form: 'codes',
    codes,
    dictionary: [null],
    counts,
    rows: none,
    starts: none,
    count,
    failed,
    bytes: 2 * count,
  };
}

/** FNV-1a over UTF-16 code units, 31 bits (Fowler, Noll, Vo; offset basis and prime of the 32-bit variant). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // The low bits alone are weak: fold the high ones in.
  return (hash ^ (hash >>> 15)) & 0x7fffffff;
}

const isNumeric = (kind: Test['kind']) =>
  kind === 'number' || kind === 'integer' || kind === 'date' || kind === 'timestamp';

/** Takes the values of a column one by one, in stored order, and makes the smallest form that answers its kind. */
export class ColumnBuilder {
  readonly #kind: Test['kind'];
  readonly #count: number;
  readonly #numbers: Float64Array | null;
  readonly #codeOf = new Map<Operand, number>();
  #dictionary: (Operand | null)[] = [null];
  #codes: Uint16Array | Uint32Array;
  readonly #hashable: boolean;
  #hashes: Uint32Array | null = null;
  #failed: Uint8Array | null = null;
  #at = 0;

  /**
   * @param count rows that will come.
   * @param hashable whether a row can be read again to be sure, so that texts may be held as hashes.
   */
  constructor(kind: Test['kind'], count: number, hashable = true) {
    this.#kind = kind;
    this.#hashable = hashable && count <= MOST_HASHED;
    this.#count = count;
    this.#numbers = isNumeric(kind) ? sharedDoubles(count) : null;
    this.#codes = sharedShorts(this.#numbers ? 0 : count);
  }

  /** Rows taken so far. */
  get length(): number {
    return this.#at;
  }

  /** @param value as stored; null where there is none. @throws RangeError when more rows come than were announced. */
  add(value: unknown, failed = false): void {
    const at = this.#at++;
    if (at >= this.#count) throw new RangeError(`A column of ${this.#count} rows has another one`);
    if (failed) {
      this.#failed ??= sharedBytes(this.#count);
      this.#failed[at] = 1;
    }
    if (this.#numbers) {
      // Instants come as epoch milliseconds already.
      this.#numbers[at] = value === null || value === undefined ? Number.NaN : Number(value);
      return;
    }
    const operand = comparable(this.#kind, value);
    if (this.#hashes) {
      this.#hashes[at] = operand === null ? 0 : hashOf(String(operand)) + 1;
      return;
    }
    if (operand === null) return;
    let code = this.#codeOf.get(operand);
    if (code === undefined) {
      code = this.#dictionary.length;
      if (this.#hashable && code > this.#mostCodes()) {
        this.#toHashes(at);
        this.#hashes![at] = hashOf(String(operand)) + 1;
        return;
      }
      if (code === MOST_CODES + 1) {
        const wider = sharedWords(this.#count);
        wider.set(this.#codes);
        this.#codes = wider;
      }
      this.#codeOf.set(operand, code);
      this.#dictionary.push(operand);
    }
    this.#codes[at] = code;
  }

  /** @throws RangeError when fewer rows came than were announced. */
  finish(): HeldColumn {
    const count = this.#count;
    if (this.#at !== count) throw new RangeError(`A column of ${count} rows ends after ${this.#at}`);
    const failed = this.#failed;
    const extra = failed ? count : 0;
    if (this.#numbers) return this.#finishNumbers(this.#numbers, extra);
    if (this.#hashes) return this.#finishHashes(this.#hashes, extra);
    const dictionary = this.#dictionary;
    const counts = sharedWords(dictionary.length);
    let codes: HeldCodes['codes'] = this.#codes;
    if (dictionary.length <= 256) {
      codes = sharedBytes(count);
      codes.set(this.#codes);
    }
    for (const code of codes) counts[code]!++;
    const starts = sharedWords(dictionary.length);
    for (let code = 1; code < starts.length; code++) starts[code] = starts[code - 1]! + counts[code - 1]!;
    const rows = sharedWords(count);
    const next = starts.slice();
    for (let row = 0; row < count; row++) rows[next[codes[row]!]!++] = row;
    const bytes = codes.byteLength + rows.byteLength + extra + dictionary.length * 88;
    return { form: 'codes', codes, dictionary, counts, rows, starts, count, failed, bytes };
  }

  /** Text that hardly repeats would cost more as a dictionary than as hashes; other kinds have few values anyway. */
  #mostCodes(): number {
    return Math.min(MOST_CODES, Math.max(256, this.#count / 8));
  }

  #toHashes(rows: number): void {
    const hashes = new Uint32Array(this.#count);
    const hashOfCode = this.#dictionary.map(value => (value === null ? 0 : hashOf(String(value)) + 1));
    for (let i = 0; i < rows; i++) hashes[i] = hashOfCode[this.#codes[i]!]!;
    this.#hashes = hashes;
    this.#codeOf.clear();
    this.#dictionary = [null];
  }

  #finishNumbers(values: Float64Array, extra: number): HeldColumn {
    const blocks = Math.ceil(this.#count / BLOCK);
    const least = sharedDoubles(blocks).fill(Number.POSITIVE_INFINITY);
    const greatest = sharedDoubles(blocks).fill(Number.NEGATIVE_INFINITY);
    for (let i = 0; i < values.length; i++) {
      const block = (i / BLOCK) | 0;
      const value = values[i]!;
      if (value < least[block]!) least[block] = value;
      if (value > greatest[block]!) greatest[block] = value;
    }
    const step = Math.max(1, Math.ceil(values.length / SAMPLED));
    const tried = Math.ceil(values.length / step);
    const some = Float64Array.from({ length: tried }, (_, i) => values[i * step]!)
      .filter(value => !Number.isNaN(value))
      .sort();
    const sample = sharedDoubles(some.length);
    sample.set(some);
    const bytes = values.byteLength + extra + blocks * 16 + sample.byteLength;
    const filled = tried ? sample.length / tried : 0;
    return {
      form: 'numbers',
      values,
      least,
      greatest,
      sample,
      filled,
      count: this.#count,
      failed: this.#failed,
      bytes,
    };
  }

  #finishHashes(hashes: Uint32Array, extra: number): HeldColumn {
    const present = sharedBytes(this.#count);
    let values = 0;
    for (let i = 0; i < hashes.length; i++) if (hashes[i]) present[i] = ++values && 1;
    const keys = sharedDoubles(values);
    let at = 0;
    for (let i = 0; i < hashes.length; i++) if (hashes[i]) keys[at++] = (hashes[i]! - 1) * MOST_HASHED + i;
    keys.sort();
    const bytes = keys.byteLength + present.byteLength + extra;
    return { form: 'hashes', keys, present, count: this.#count, failed: this.#failed, bytes };
  }
}
