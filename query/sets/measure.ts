import { PARCEL_AREA } from '../search/request/name.ts';
import { type SetField, valueOfNumber } from './column-values.ts';
import { NumberList } from './number-list.ts';
import { MOST_GROUPS } from './set-size.ts';

/** What is said of each group. */
export interface MeasureRequest {
  readonly op: 'count' | 'sum' | 'mean' | 'min' | 'max' | 'quantile';
  /** Null of a count of the parcels themselves. */
  readonly field: SetField | null;
  /** Of a quantile: 0 to 1. */
  readonly q: number;
}

/** A measure of one group. */
export interface Measured {
  /** Null where no parcel has a value. */
  readonly value: number | string | null;
  /** Parcels with a value, without one, and those for which the calculation failed. */
  readonly ok: number;
  readonly absent: number;
  readonly failed: number;
}

/** Fields that measure the ground of a parcel: rows with one outline have the same ground. */
const GROUND_FIELDS: readonly string[] = ['acreage', PARCEL_AREA];

/** Whether a measure adds up ground. */
export const addsGround = ({ op, field }: MeasureRequest): boolean =>
  op === 'sum' && field !== null && GROUND_FIELDS.includes(field.name);

/** Adds up one measure by group. */
export class Measure {
  readonly request: MeasureRequest;
  readonly #ok = new Float64Array(MOST_GROUPS);
  readonly #absent = new Float64Array(MOST_GROUPS);
  readonly #failed = new Float64Array(MOST_GROUPS);
  readonly #value: Float64Array;
  /** What was lost of a sum by rounding (Neumaier, 1974). */
  readonly #lost = new Float64Array(MOST_GROUPS);
  /** Of quantiles: all values, and their groups. */
  readonly #values = new NumberList();
  readonly #groups = new NumberList();

  constructor(request: MeasureRequest) {
    this.request = request;
    const { op } = request;
    const start = op === 'min' ? Number.POSITIVE_INFINITY : op === 'max' ? Number.NEGATIVE_INFINITY : 0;
    this.#value = new Float64Array(MOST_GROUPS).fill(start);
  }

  /** Values that it keeps. */
  get length(): number {
    return this.#values.length;
  }

  /**
   * Takes the rows of a county.
   * @param groups of the rows, one by one. @param numbers values by row, NaN for none; null where parcels are counted.
   * @param repeats 1 of rows whose ground was added to their group already.
   */
  take(
    rows: Uint32Array,
    groups: Uint32Array,
    numbers: Float64Array | null,
    failed: Uint8Array | null,
    repeats: Uint8Array | null,
  ): void {
    const { op } = this.request;
    const keeps = op === 'quantile';
    const value = this.#value;
    for (let i = 0; i < rows.length; i++) {
      const [row, group] = [rows[i]!, groups[i]!];
      if (numbers === null) {
        this.#ok[group]!++;
        continue;
      }
      if (failed !== null && failed[row] === 1) {
        this.#failed[group]!++;
        continue;
      }
      const number = numbers[row]!;
      if (Number.isNaN(number)) {
        this.#absent[group]!++;
        continue;
      }
      this.#ok[group]!++;
      if (op === 'min') value[group] = Math.min(value[group]!, number);
      else if (op === 'max') value[group] = Math.max(value[group]!, number);
      else if (keeps) {
        this.#values.push(number);
        this.#groups.push(group);
      } else if (op !== 'count' && (repeats === null || repeats[i] === 0)) this.#add(group, number);
    }
  }

  #add(group: number, number: number): void {
    const before = this.#value[group]!;
    const sum = before + number;
    this.#lost[group]! += Math.abs(before) >= Math.abs(number) ? before - sum + number : number - sum + before;
    this.#value[group] = sum;
  }

  /** What was measured of the first so many groups. */
  results(groups: number): Measured[] {
    const { op, q, field } = this.request;
    const sorted = op === 'quantile' ? this.#byGroup(groups) : null;
    return Array.from({ length: groups }, (_, group) => {
      const ok = this.#ok[group]!;
      const counts = { ok, absent: this.#absent[group]!, failed: this.#failed[group]! };
      if (op === 'count') return { value: ok, ...counts };
      if (ok === 0) return { value: null, ...counts };
      const sum = this.#value[group]! + this.#lost[group]!;
      const value = sorted
        ? sorted[group]![Math.max(0, Math.ceil(q * ok) - 1)]!
        : op === 'mean'
          ? sum / ok
          : op === 'sum'
            ? sum
            : this.#value[group]!;
      return { value: valueOfNumber(op === 'sum' ? 'number' : field!.kind, value), ...counts };
    });
  }

  /** The values of each group, ascending. */
  #byGroup(groups: number): Float64Array[] {
    const lists = Array.from({ length: groups }, (_, group) => new Float64Array(this.#ok[group]!));
    const next = new Uint32Array(groups);
    const [values, of] = [this.#values.all, this.#groups.all];
    for (let i = 0; i < values.length; i++) {
      const group = of[i]!;
      lists[group]![next[group]!++] = values[i]!;
    }
    return lists.map(list => list.sort());
  }
}
