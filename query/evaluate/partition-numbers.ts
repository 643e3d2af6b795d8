import { memo } from '../../datasets/memo.ts';
import type { Partition } from '../../datasets/release.ts';
import { type LayerList, LayerLists, listsRead } from '../release/lists/layer-lists.ts';
import type { Release } from '../release/open-release.ts';
import { partsOf } from '../release/part.ts';

class Numbers {
  readonly of = new Map<Partition, number>();
  readonly #lists = new Set<LayerList>();
  #read = -1;

  /** Numbers the partitions of lists that were read since the last time. */
  learn({ manifest }: Release): void {
    if (this.#read === listsRead()) return;
    this.#read = listsRead();
    const layers = Object.values(manifest.datasets).flatMap(of => Object.values(of));
    for (const list of layers.flatMap(layer => LayerLists.of(layer).all)) {
      if (this.#lists.has(list) || !list.inMemory) continue;
      this.#lists.add(list);
      for (const whole of list.inMemory)
        for (const each of whole.parts ? [whole, ...partsOf(whole)] : [whole]) this.of.set(each, this.of.size);
    }
  }
}

const numbersOf = memo((_release: Release) => new Numbers());

/**
 * The number of a partition of a release, or of a part of one, which keys of caches are made of; undefined of one of another
 * release, or of the same one opened another time.
 */
export function partitionNumber(release: Release, partition: Partition): number | undefined {
  const numbers = numbersOf(release);
  const number = numbers.of.get(partition);
  if (number !== undefined) return number;
  numbers.learn(release);
  return numbers.of.get(partition);
}
