import type { HeldColumn } from '../columns/held-column.ts';

/** A held column of one form. */
export type ColumnOf<T> = T & Pick<HeldColumn, 'count' | 'failed'>;

/**
 * A test over a column in memory. Rows whose value could not be computed are kept, because nothing is known against
 * them: `failed` tells them apart.
 */
export interface RowTest {
  /** Share of the rows that pass, as far as the column tells; 0 when none can. */
  readonly share: number;
  /** Rows that may pass, ascending, where the column finds them without a scan. */
  readonly rows: Uint32Array | null;
  /** Whether all of `rows` pass; otherwise each must still be kept by `keep`, which reads it. */
  readonly sure: boolean;
  /** 1 of rows that were kept only because their value could not be computed; null where there are none. */
  readonly failed: Uint8Array | null;
  /** False when no row of a block can pass; without it any may. */
  mayPass?(block: number): boolean;
  /** Writes the rows from..to (exclusive) that pass into `out`; @returns how many. */
  scan(from: number, to: number, out: Uint32Array): number;
  /** Keeps of the first `n` rows of a list those that pass; @returns how many. */
  keep(rows: Uint32Array, n: number): number;
}
