import type { LayerVersion, Partition } from '../../datasets/release.ts';
import { layersRead, partitionsRead } from '../release/lists/layer-lists.ts';
import type { Release } from '../release/open-release.ts';
import { partsOf } from '../release/part.ts';

class Numbers {
  readonly of = new Map<Partition, number>();
  readonly #layers = new Set<LayerVersion>();
  #read = -1;

  /** Numbers the partitions of layers that were read since the last time. */
  learn({ manifest }: Release): void {
    if (this.#read === layersRead()) return;
    this.#read = layersRead();
    for (const layer of Object.values(manifest.datasets).flatMap(layers => Object.values(layers))) {
      if (this.#layers.has(layer)) continue;
      const partitions = partitionsRead(layer);
      if (!partitions) continue;
      this.#layers.add(layer);
      for (const whole of partitions)
        for (const each of whole.parts ? [whole, ...partsOf(whole)] : [whole]) this.of.set(each, this.of.size);
    }
  }
}

const numbersBy = new WeakMap<Release, Numbers>();

/**
 * The number of a partition of a release, or of a part of one, which keys of caches are made of; undefined of one of another
 * release, or of the same one opened another time.
 */
export function partitionNumber(release: Release, partition: Partition): number | undefined {
  let numbers = numbersBy.get(release);
  if (!numbers) {
    numbers = new Numbers();
    numbersBy.set(release, numbers);
  }
  const number = numbers.of.get(partition);
  if (number !== undefined) return number;
  numbers.learn(release);
  return numbers.of.get(partition);
}
