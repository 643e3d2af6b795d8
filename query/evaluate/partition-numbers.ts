import type { Partition } from '../../datasets/release.ts';
import type { Release } from '../release/open-release.ts';
import { partsOf } from '../release/part.ts';

const numbersBy = new WeakMap<Release, ReadonlyMap<Partition, number>>();

/**
 * The number of a partition of a release, or of a part of one, which keys of caches are made of; undefined of one of another
 * release, or of the same one opened another time.
 */
export function partitionNumber(release: Release, partition: Partition): number | undefined {
  let numbers = numbersBy.get(release);
  if (!numbers) {
    const all = Object.values(release.manifest.datasets).flatMap(layers =>
      Object.values(layers).flatMap(({ partitions }) => partitions.flatMap(p => (p.parts ? [p, ...partsOf(p)] : [p]))),
    );
    numbers = new Map(all.map((each, i) => [each, i]));
    numbersBy.set(release, numbers);
  }
  return numbers.get(partition);
}
