import type { Partition } from '../../datasets/release.ts';
import type { Release } from '../release/open-release.ts';
import { partsOf } from '../release/part.ts';
import { citationsOf, cite, saidOnce } from './finding.ts';

/** What an answer that rests on one partition says of it. */
interface PartitionSays {
  readonly source: string;
  readonly sourceUrl: string | null;
  readonly vintage: string | null;
  /** Its standing notes; null for none. */
  readonly note: string | null;
}

const numbersBy = new WeakMap<Release, PartitionNumbers>();

/** The partitions of a release and their parts, numbered alike by every thread that has opened it: numbers cross where texts need not. */
export class PartitionNumbers {
  readonly #partitions: readonly Partition[];
  readonly #numbers: ReadonlyMap<Partition, number>;
  readonly #says: (PartitionSays | undefined)[] = [];

  private constructor(release: Release) {
    this.#partitions = Object.values(release.manifest.datasets).flatMap(layers =>
      Object.values(layers).flatMap(({ partitions }) => partitions.flatMap(p => (p.parts ? [p, ...partsOf(p)] : [p]))),
    );
    this.#numbers = new Map(this.#partitions.map((partition, i) => [partition, i]));
  }

  static of(release: Release): PartitionNumbers {
    let numbers = numbersBy.get(release);
    if (!numbers) {
      numbers = new PartitionNumbers(release);
      numbersBy.set(release, numbers);
    }
    return numbers;
  }

  /** Undefined for a partition of another release, or of the same one opened another time. */
  numberOf(partition: Partition): number | undefined {
    return this.#numbers.get(partition);
  }

  /** @param number as numberOf gave it, in this thread or another. */
  says(number: number): PartitionSays {
    let says = this.#says[number];
    if (!says) {
      const { citations, notes } = citationsOf([this.#partitions[number]!]);
      says = { ...cite(citations, { id: '', url: '' }), note: saidOnce(notes) };
      this.#says[number] = says;
    }
    return says;
  }
}
