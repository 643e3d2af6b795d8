import type { Box } from '../../../datasets/geometry.ts';
import type { LayerVersion, Partition } from '../../../datasets/release.ts';
import { LayerList, LayerLists } from './layer-lists.ts';

const all = (): boolean => true;
const NONE: ReadonlySet<Partition> = new Set();

let sets = 0;

/** Some partitions of a layer, in its order, found by where they are: of lists that lie elsewhere none is read. */
export class PartitionSet {
  /** Tells sets apart. */
  readonly number = sets++;
  readonly #lists: LayerLists;
  readonly #chosen: (partition: Partition) => boolean;
  readonly #left: ReadonlySet<Partition>;
  #all: readonly Partition[] | null = null;

  /** @param chosen whether a partition of the lists is one of these. @param left those that are left out of these. */
  constructor(lists: LayerLists, chosen: (partition: Partition) => boolean = all, left = NONE) {
    [this.#lists, this.#chosen, this.#left] = [lists, chosen, left];
  }

  static of(layer: LayerVersion): PartitionSet {
    return new PartitionSet(LayerLists.of(layer));
  }

  static from(partitions: readonly Partition[]): PartitionSet {
    return new PartitionSet(new LayerLists([new LayerList(partitions)]));
  }

  /** All of them. @throws Fault when one of their lists cannot be read. */
  get all(): readonly Partition[] {
    this.#all ??= this.#lists.all.flatMap(({ partitions }) => partitions).filter(one => this.has(one));
    return this.#all;
  }

  /** The lists about some lng,lat boxes, or all: whose partitions are these that the set has. @throws Fault as LayerLists.about. */
  lists(boxes: readonly Box[] | null = null): readonly LayerList[] {
    return boxes ? this.#lists.about(boxes) : this.#lists.all;
  }

  /** Whether a partition of its lists is one of these. */
  has(partition: Partition): boolean {
    return this.#chosen(partition) && !this.#left.has(partition);
  }

  /** The set without some of its partitions. */
  without(left: readonly Partition[]): PartitionSet {
    return left.length ? new PartitionSet(this.#lists, this.#chosen, new Set([...this.#left, ...left])) : this;
  }

  /** Whether another set is of the same partitions, as far as nothing is read to tell. */
  equals(other: PartitionSet): boolean {
    if (this === other) return true;
    if (this.#lists !== other.#lists || this.#chosen !== other.#chosen) return false;
    return this.#left.size === other.#left.size && [...this.#left].every(one => other.#left.has(one));
  }

  /** Whether a partition is the only one, as far as it can be told without reading others. */
  isOnly(partition: Partition): boolean {
    return this.#lists.all.length === 1 && this.all.length === 1 && this.all[0] === partition;
  }
}
