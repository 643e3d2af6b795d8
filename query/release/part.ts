import type { Value } from '../../datasets/dataset.ts';
import { memo } from '../../datasets/memo.ts';
import type { Partition } from '../../datasets/release.ts';

/** Column of a row that says which part of its partition it belongs to. */
export const PART = 'part';

/** Files that all parts of a partition share. */
const SHARED: ReadonlySet<string> = new Set(['features', 'rows']);

const wholes = new WeakMap<Partition, Partition>();

/** Parts are told apart as objects, so they are made once; it is no matter of time. */
const severalOf = memo((partition: Partition): readonly Partition[] => {
  const shared = partition.files.filter(({ role }) => SHARED.has(role));
  const { key } = partition;
  const parts = partition.parts!.map(part => ({ ...part, key, files: [...shared, ...part.files] }));
  for (const part of parts) wholes.set(part, partition);
  return parts;
});

/**
 * What each published file contributed to a partition, as a partition of its own with the shared files: whom its rows are
 * cited from, where it covers, what it does not publish. The same objects always; the partition itself where one file filled it.
 */
export const partsOf = (partition: Partition): readonly Partition[] =>
  partition.parts ? severalOf(partition) : [partition];

/** The partition that a part is of. */
export const wholeOf = (part: Partition): Partition => wholes.get(part) ?? part;

/** The part that a row belongs to. @param properties of the row. */
export function partOf(partition: Partition, properties: Readonly<Record<string, Value>>): Partition {
  return partition.parts ? partsOf(partition)[Number(properties[PART])]! : partition;
}
