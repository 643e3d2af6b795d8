/** Columns of a file that are asked for. */
export interface ColumnPick {
  /** 1 for each of all columns that is. */
  readonly mask: Uint8Array;
  /** Their places, ascending. */
  readonly places: Int32Array;
}
