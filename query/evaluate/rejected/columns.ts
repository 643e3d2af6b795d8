import type { Column } from '../../../datasets/dataset.ts';

/** What a rejected row says of itself beside the columns of its layer. */
export const REJECTED_COLUMNS = {
  rejected_file: { type: 'string' },
  /** 1-based position in the file. */
  rejected_row: { type: 'integer' },
  rejected_reason: { type: 'string' },
  /**
   * Whether it stands where its geometry is. Rows without a usable one stand at 0,0, because every row of a FlatGeobuf
   * has a box.
   */
  rejected_located: { type: 'boolean' },
  /** Whether a missing value means that the publisher has none; otherwise it may not have been readable. */
  rejected_complete: { type: 'boolean' },
} as const satisfies Readonly<Record<string, Column>>;

/** What is kept of a row of a parcel file that is ground and no parcel. */
export const GROUND_COLUMNS = {
  /** A kind of datasets/place/ground-kind.ts. */
  kind: { type: 'string' },
  /** As the file numbers it, such as US-2. */
  number: { type: 'string' },
} as const satisfies Readonly<Record<string, Column>>;

/** A reason of rejected rows without numbers and quoted values, which differ from row to row. */
export const kindOfReason = (reason: string): string =>
  reason
    .replace(/"[^"]*"/g, '"…"')
    .replace(/-?\d+(\.\d+)?(e-?\d+)?/gi, 'N')
    .replace(/\s+/g, ' ');
