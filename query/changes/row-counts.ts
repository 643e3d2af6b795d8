import { catalog } from '../../datasets/catalog.ts';
import type { Partition } from '../../datasets/release.ts';
import type { Layers } from '../release/layers.ts';
import { contentOf, PARCEL_LAYER, type PartitionPair } from './partition-pair.ts';
import { eachRow, type Share, sharesOf } from './rows.ts';
import type { Work } from './work.ts';

/** How many rows differ between two releases. */
export interface RowCounts {
  readonly added: number;
  readonly removed: number;
  /** Rows of the same key with other values or another shape; rasters and road graphs count as one row each. */
  readonly changed: number;
}

export const NO_ROWS: RowCounts = { added: 0, removed: 0, changed: 0 };

export const sum = (a: RowCounts, b: RowCounts): RowCounts => ({
  added: a.added + b.added,
  removed: a.removed + b.removed,
  changed: a.changed + b.changed,
});

/** What is left of some rows when those are paired that have the same key: they changed. */
const paired = (before: number, after: number): RowCounts => {
  const changed = Math.min(before, after);
  return { added: after - changed, removed: before - changed, changed };
};

/** Column that tells rows of a layer apart from release to release; null where nothing does. */
function keyOf(name: string): string | null {
  if (name === PARCEL_LAYER) return 'parcel_key';
  const [dataset, layer] = name.split(':') as [string, string];
  const found = catalog.datasets.get(dataset)?.layers[layer];
  if (found?.kind === 'table') return found.key.column;
  return found?.kind === 'vector' ? found.joinKey : null;
}

const rowsOf = (partitions: readonly Partition[]) =>
  partitions.reduce((rows, partition) => rows + (contentOf(partition)?.rows ?? 0), 0);

const isWhole = (partition: Partition) => !['features', 'rows'].includes(contentOf(partition)?.role ?? '');

/** Shares that the rows of a pair are compared in. */
export const sharesOfPair = ({ before, after }: PartitionPair): number => sharesOf(rowsOf(before), rowsOf(after));

/**
 * Counts how the rows of one share differ. Rows of one key that are equal are set against each other first.
 * @param name `dataset:layer`.
 * @throws Fault or DamagedFile when a file cannot be read; TimeUp, Interrupted.
 */
export async function countShare(
  { before, after }: { readonly before: Layers; readonly after: Layers },
  name: string,
  pair: PartitionPair,
  share: Share,
  work: Work,
): Promise<RowCounts> {
  if ([...pair.before, ...pair.after].some(isWhole)) return paired(pair.before.length, pair.after.length);
  const reading = { key: keyOf(name), share, work };
  const old = new Map<string, number>();
  const add = (counts: Map<string, number>, of: string, n: number) => counts.set(of, (counts.get(of) ?? 0) + n);
  const both = (row: string, content: string) => `${row}\0${content}`;
  for (const partition of pair.before)
    await eachRow(before, partition, reading, (row, content) => add(old, both(row, content), 1));
  const [gone, come] = [new Map<string, number>(), new Map<string, number>()];
  for (const partition of pair.after)
    await eachRow(after, partition, reading, (row, content) => {
      const same = old.get(both(row, content)) ?? 0;
      if (same > 0) old.set(both(row, content), same - 1);
      else add(come, row, 1);
    });
  for (const [row, n] of old) if (n > 0) add(gone, row.slice(0, row.lastIndexOf('\0')), n);
  let counts = NO_ROWS;
  for (const [row, n] of come) counts = sum(counts, paired(gone.get(row) ?? 0, n));
  for (const [row, n] of gone) if (!come.has(row)) counts = sum(counts, paired(n, 0));
  return counts;
}
