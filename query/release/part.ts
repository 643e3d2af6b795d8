import type { Value } from '../../datasets/dataset.ts';
import type { Partition } from '../../datasets/release.ts';

/** Column of a row that says which part of its partition it belongs to. */
export const PART = 'part';

/** Files that all parts of a partition share. */
const SHARED: ReadonlySet<string> = new Set(['features', 'rows']);

/** Parts are told apart as objects, so they are made once; it is no matter of time. */
const parts = new WeakMap<Partition, readonly Partition[]>();
const wholes = new WeakMap<Partition, Partition>();

/**
 * What each published file contributed to a partition, as a partition of its own with the shared files: whom its rows are
 * cited from, where it covers, what it does not publish. The same objects always; the partition itself where one file filled it.
 */
export function partsOf(partition: Partition): readonly Partition[] {
  if (!partition.parts) return [partition];
  let cached = parts.get(partition);
  if (!cached) {
    const shared = partition.files.filter(({ role }) => SHARED.has(role));
    const { key } = partition;
    cached = partition.parts.map(part => ({ ...part, key, files: [...shared, ...part.files] }));
    for (const part of cached) wholes.set(part, partition);
    parts.set(partition, cached);
  }
  return cached;
}

/** The partition that a part is of. */
export const wholeOf = (part: Partition): Partition => wholes.get(part) ?? part;

/** The part that a row belongs to. @param properties of the row. */
export function partOf(partition: Partition, properties: Readonly<Record<string, Value>>): Partition {
  return partition.parts ? partsOf(partition)[Number(properties[PART])]! : partition;
}
