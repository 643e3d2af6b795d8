import type { Value } from '../../../datasets/dataset.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import type { Readings } from '../validity.ts';

/** One row that was left out, kept after a certain repair, or kept with an address that nobody can read. */
export interface Reject {
  readonly file: string;
  /** 1-based position in the file. */
  readonly row: number;
  /** The row's own identifier where the layer has a join key; null otherwise. */
  readonly id: Value;
  readonly action: 'rejected' | 'repaired' | 'unaddressed';
  readonly reason: string;
  /** Square metres of a polygon with crossing rings, by each reading of it. */
  readonly readings?: Readings;
}

/** What is known of a rejected row. */
export interface RejectedRow {
  /** In the normal schema. */
  readonly properties: Readonly<Record<string, Value>>;
  /** Whether a missing value means that the publisher has none; otherwise it may not have been readable. */
  readonly complete: boolean;
  /** lng,lat WGS84, as published. */
  readonly geometry: Geometry | null;
}
