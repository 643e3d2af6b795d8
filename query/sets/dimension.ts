import { cellToBoundary, latLngToCell } from 'h3-js';
import { sharedWords } from '../format/shared-memory.ts';
import type { HeldColumn } from '../search/columns/held-column.ts';
import { normaliseCity } from '../search/request/filter.ts';
import { type SetField, valueOfNumber } from './column-values.ts';
import type { CountySet } from './county-set.ts';

/** What parcels are grouped by. */
export type GroupBy =
  | { readonly by: 'field'; readonly field: SetField }
  | { readonly by: 'county' | 'city' | 'zip' }
  | { readonly by: 'h3'; readonly resolution: number }
  /** Half open bins between ascending edges, one more at each end. */
  | { readonly by: 'bins'; readonly field: SetField; readonly edges: readonly number[] };

/** The part of a group's key that one dimension gives; null where there is no value. */
export type KeyPart = string | number | boolean | null | { readonly from: number | null; readonly to: number | null };

/** The keys of a county's rows: numbers of a dimension. */
export interface RowKeys {
  /** By row; 0 where there is no value. */
  readonly keys: Uint32Array;
  /** 1 of rows whose value could not be computed. */
  readonly failed: Uint8Array | null;
}

/** Numbers of the values of one dimension, in the order in which they come; 0 is none. */
class KeyNumbers {
  readonly #numbers = new Map<string | number | boolean, number>();
  readonly values: (string | number | boolean | null)[] = [null];

  of(value: string | number | boolean | null): number {
    if (value === null) return 0;
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.values.length;
      this.#numbers.set(value, number);
      this.values.push(value);
    }
    return number;
  }
}

/** A county's cells by row, as numbers of a list. */
interface Cells {
  readonly rows: Uint32Array;
  readonly list: readonly string[];
  readonly bytes: number;
}

const TEXT = 'string';
const [LAT, LNG] = [
  { name: 'centroid_lat', kind: 'number' },
  { name: 'centroid_lon', kind: 'number' },
] as const;
/** Cells that are found between two steps: some ten milliseconds' work. */
const STEP = 8192;
/** Share of a county's rows from which on the cells of all are found, and stay. */
const MANY = 1 / 8;
/** Characters of a ZIP code without its extension. */
const ZIP_LENGTH = 5;
/** Bytes that a text in a list takes, about. */
const TEXT_BYTES = 64;

/** One of the things that parcels are grouped by, over all counties. */
export class Dimension {
  readonly by: GroupBy;
  readonly #numbers = new KeyNumbers();
  /** Of a city: how often it is spelt how. */
  readonly #spellings = new Map<number, Map<string, number>>();
  readonly #step: () => Promise<void> | undefined;

  constructor(by: GroupBy, step: () => Promise<void> | undefined) {
    this.by = by;
    this.#step = step;
  }

  /** The keys of a county's rows. @param rows for which they are wanted. @throws Fault when a column cannot be read. */
  async of(set: CountySet, rows: Uint32Array): Promise<RowKeys> {
    const { by } = this;
    switch (by.by) {
      case 'county':
        return { keys: new Uint32Array(set.count).fill(this.#numbers.of(set.county.fips)), failed: null };
      case 'h3':
        return { keys: await this.#cells(set, rows, by.resolution), failed: null };
      case 'city':
        return this.#city(await set.columnOrNone({ name: 'city', kind: TEXT }));
      case 'zip':
        return this.#zip(
          await set.columnOrNone({ name: 'szip5', kind: TEXT }),
          await set.columnOrNone({ name: 'szip', kind: TEXT }),
        );
      case 'bins':
        return this.#bins(await set.columnOrNone(by.field), by.edges);
      case 'field':
        return this.#field(await set.columnOrNone(by.field));
    }
  }

  /** The part of a key that a number stands for. */
  part(number: number): KeyPart {
    const { by } = this;
    if (by.by === 'bins')
      return number === 0 ? null : { from: by.edges[number - 2] ?? null, to: by.edges[number - 1] ?? null };
    const spellings = this.#spellings.get(number);
    if (spellings) return [...spellings].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
    const value = this.#numbers.values[number]!;
    return by.by === 'field' && typeof value === 'number' ? valueOfNumber(by.field.kind, value) : value;
  }

  #field(column: HeldColumn): RowKeys {
    if (column.form === 'codes') return this.#coded(column, value => value);
    const keys = new Uint32Array(column.count);
    if (column.form === 'numbers')
      for (let row = 0; row < keys.length; row++) {
        const value = column.values[row]!;
        keys[row] = Number.isNaN(value) ? 0 : this.#numbers.of(value);
      }
    return { keys, failed: column.failed };
  }

  #city(column: HeldColumn): RowKeys {
    if (column.form !== 'codes') return this.#field(column);
    for (const [code, text] of column.dictionary.entries()) {
      const city = text === null ? '' : normaliseCity(String(text));
      if (city === '') continue;
      const number = this.#numbers.of(city);
      const spellings = this.#spellings.get(number) ?? new Map<string, number>();
      const spelling = String(text).trim();
      this.#spellings.set(number, spellings.set(spelling, (spellings.get(spelling) ?? 0) + column.counts[code]!));
    }
    return this.#coded(column, text => normaliseCity(String(text)) || null);
  }

  /** The five digits, of the longer code where there are none. */
  #zip(five: HeldColumn, whole: HeldColumn): RowKeys {
    const short = this.#coded(five, text => String(text).trim() || null);
    const long = this.#coded(whole, text => String(text).trim().slice(0, ZIP_LENGTH) || null);
    return { keys: short.keys.map((number, row) => number || long.keys[row]!), failed: null };
  }

  #bins(column: HeldColumn, edges: readonly number[]): RowKeys {
    const keys = new Uint32Array(column.count);
    if (column.form === 'numbers')
      for (let row = 0; row < keys.length; row++) {
        const value = column.values[row]!;
        if (Number.isNaN(value)) continue;
        let bin = 0;
        while (bin < edges.length && value >= edges[bin]!) bin++;
        keys[row] = bin + 1;
      }
    return { keys, failed: column.failed };
  }

  #coded(column: HeldColumn, keyOf: (value: string | number | boolean) => string | number | boolean | null): RowKeys {
    if (column.form !== 'codes') throw new TypeError('A text is held by its code');
    const { codes, dictionary, failed, count } = column;
    const byCode = Uint32Array.from(dictionary, value => (value === null ? 0 : this.#numbers.of(keyOf(value))));
    const keys = new Uint32Array(count);
    for (let row = 0; row < count; row++) keys[row] = byCode[codes[row]!]!;
    return { keys, failed };
  }

  async #cells(set: CountySet, rows: Uint32Array, resolution: number): Promise<Uint32Array> {
    if (rows.length < MANY * set.count) {
      const { keys, list } = await this.#cellsOf(set, rows, resolution);
      const numbers = list.map(cell => this.#numbers.of(cell || null));
      for (const row of rows) keys[row] = numbers[keys[row]!]!;
      return keys;
    }
    const all = await set.factOf(`cells ${resolution}`, async (): Promise<Cells> => {
      const { keys, list } = await this.#cellsOf(set, null, resolution);
      return { rows: keys, list, bytes: keys.byteLength + TEXT_BYTES * list.length };
    });
    const numbers = Uint32Array.from(all.list, cell => this.#numbers.of(cell || null));
    return all.rows.map(cell => numbers[cell]!);
  }

  async #cellsOf(set: CountySet, rows: Uint32Array | null, resolution: number) {
    const [lat, lng] = [await set.columnOrNone(LAT), await set.columnOrNone(LNG)];
    const keys = sharedWords(set.count);
    const numbers = new Map<string, number>();
    // Of a row without a point.
    const list = [''];
    if (lat.form !== 'numbers' || lng.form !== 'numbers') return { keys, list };
    const count = rows?.length ?? set.count;
    for (let i = 0; i < count; i++) {
      if (i % STEP === STEP - 1) await this.#step();
      const row = rows?.[i] ?? i;
      if (Number.isNaN(lat.values[row]!) || Number.isNaN(lng.values[row]!)) continue;
      const cell = latLngToCell(lat.values[row]!, lng.values[row]!, resolution);
      let number = numbers.get(cell);
      if (number === undefined) {
        number = list.length;
        numbers.set(cell, number);
        list.push(cell);
      }
      keys[row] = number;
    }
    return { keys, list };
  }
}

/** The outline of an H3 cell as GeoJSON, counter-clockwise (RFC 7946). */
export const cellOutline = (cell: string) => ({ type: 'Polygon', coordinates: [cellToBoundary(cell, true)] });
