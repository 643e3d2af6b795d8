import { MOST_GROUPS } from './set-size.ts';

/** The values of a field by row, NaN for none. */
export interface FieldColumn {
  readonly numbers: Float64Array;
  /** 1 of rows for which the calculation failed. */
  readonly failed: Uint8Array | null;
}

/** The values of a field that are there among the rows of a county. */
export interface FieldValues {
  readonly numbers: Float64Array;
  /** The group of each. */
  readonly groups: Uint32Array;
  /** 1 of values whose ground was added to their group already; null where there is none. */
  readonly repeats: Uint8Array | null;
}

/** How many parcels of each group have a value of a field, how many have none, and of how many the calculation failed. */
export class GroupStatuses {
  readonly #ok = new Float64Array(MOST_GROUPS);
  readonly #absent = new Float64Array(MOST_GROUPS);
  readonly #failed = new Float64Array(MOST_GROUPS);

  /**
   * Counts the rows of a county. @returns the values that are there.
   * @param groups of the rows, one by one, and so are `repeats`. @param column null where parcels are counted.
   */
  take(rows: Uint32Array, groups: Uint32Array, column: FieldColumn | null, repeats: Uint8Array | null): FieldValues {
    const [ok, absent, failures] = [this.#ok, this.#absent, this.#failed];
    if (!column) {
      for (let i = 0; i < groups.length; i++) ok[groups[i]!]!++;
      return { numbers: new Float64Array(0), groups, repeats };
    }
    const { numbers, failed } = column;
    const given = new Float64Array(rows.length);
    const of = new Uint32Array(rows.length);
    const again = repeats && new Uint8Array(rows.length);
    let n = 0;
    for (let i = 0; i < rows.length; i++) {
      const [row, group] = [rows[i]!, groups[i]!];
      const number = numbers[row]!;
      if (failed !== null && failed[row] === 1) failures[group]!++;
      else if (Number.isNaN(number)) absent[group]!++;
      else {
        ok[group]!++;
        given[n] = number;
        of[n] = group;
        if (again) again[n] = repeats[i]!;
        n++;
      }
    }
    return { numbers: given.subarray(0, n), groups: of.subarray(0, n), repeats: again };
  }

  /** The counts of a group. */
  of(group: number): { readonly ok: number; readonly absent: number; readonly failed: number } {
    return { ok: this.#ok[group]!, absent: this.#absent[group]!, failed: this.#failed[group]! };
  }
}
