import type { Column } from '../dataset.ts';

/** A stored column of a parcel, as enrichment and search answer it. */
export interface ParcelAttribute extends Column {
  readonly description: string;
  /** Step that its numbers are rounded to, in its unit: a power of ten; where it is not told by precision.ts. */
  readonly precision?: number;
  /** Three to ten everyday words for it: how a buyer, a farmer, an insurer or a Spanish speaker would ask. Questions are matched with them. */
  readonly terms: readonly string[];
  /** What the value means to someone who must act on it; never a restatement of the description. */
  readonly hint: string;
}
