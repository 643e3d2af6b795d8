import quickselect from 'quickselect';
import { PARCEL_AREA } from '../search/request/name.ts';
import { type SetField, valueOfNumber } from './column-values.ts';
import type { FieldValues, GroupStatuses } from './group-statuses.ts';
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
  readonly #value: Float64Array;
  /** What was lost of a sum by rounding (Neumaier, 1974). */
  readonly #lost: Float64Array;
  /** Of quantiles: all values, and their groups. */
  readonly #values: FieldValues[] = [];

  constructor(request: MeasureRequest) {
    this.request = request;
    const { op } = request;
    const start = op === 'min' ? Number.POSITIVE_INFINITY : op === 'max' ? Number.NEGATIVE_INFINITY : 0;
    this.#value = new Float64Array(MOST_GROUPS).fill(start);
    this.#lost = new Float64Array(op === 'sum' || op === 'mean' ? MOST_GROUPS : 0);
  }

  /** Values that it keeps. */
  get length(): number {
    return this.#values.reduce((sum, { numbers }) => sum + numbers.length, 0);
  }

  /** Takes the values of a county. */
  take(values: FieldValues): void {
    const { op } = this.request;
    const { numbers, groups } = values;
    const value = this.#value;
    if (op === 'quantile') this.#values.push(values);
    else if (op === 'min')
      for (let i = 0; i < numbers.length; i++) value[groups[i]!] = Math.min(value[groups[i]!]!, numbers[i]!);
    else if (op === 'max')
      for (let i = 0; i < numbers.length; i++) value[groups[i]!] = Math.max(value[groups[i]!]!, numbers[i]!);
    else if (op !== 'count') this.#sum(values);
  }

  #sum({ numbers, groups, repeats }: FieldValues): void {
    const [value, lost] = [this.#value, this.#lost];
    const once = addsGround(this.request) ? repeats : null;
    for (let i = 0; i < numbers.length; i++) {
      if (once?.[i] === 1) continue;
      const [group, number] = [groups[i]!, numbers[i]!];
      const before = value[group]!;
      const sum = before + number;
      lost[group]! += Math.abs(before) >= Math.abs(number) ? before - sum + number : number - sum + before;
      value[group] = sum;
    }
  }

  /** What was measured of the first so many groups. @param statuses of its field. */
  results(groups: number, statuses: GroupStatuses): Measured[] {
    const { op, q, field } = this.request;
    const lists = op === 'quantile' ? this.#byGroup(groups, statuses) : null;
    return Array.from({ length: groups }, (_, group) => {
      const counts = statuses.of(group);
      const { ok } = counts;
      if (op === 'count') return { value: ok, ...counts };
      if (ok === 0) return { value: null, ...counts };
      const sum = op === 'sum' || op === 'mean' ? this.#value[group]! + this.#lost[group]! : 0;
      const value = lists
        ? ranked(lists[group]!, Math.max(0, Math.ceil(q * ok) - 1))
        : op === 'mean'
          ? sum / ok
          : op === 'sum'
            ? sum
            : this.#value[group]!;
      return { value: valueOfNumber(op === 'sum' ? 'number' : field!.kind, value), ...counts };
    });
  }

  /** The values of each group. */
  #byGroup(groups: number, statuses: GroupStatuses): Float64Array[] {
    const lists = Array.from({ length: groups }, (_, group) => new Float64Array(statuses.of(group).ok));
    const next = new Uint32Array(groups);
    for (const { numbers, groups: of } of this.#values)
      for (let i = 0; i < numbers.length; i++) lists[of[i]!]![next[of[i]!]!++] = numbers[i]!;
    return lists;
  }
}

/** The value at a place of a list, if it were ascending. The list is put in another order. */
function ranked(list: Float64Array, place: number): number {
  // It asks no more of a list than that its elements have numbers.
  quickselect(list as unknown as number[], place);
  return list[place]!;
}
