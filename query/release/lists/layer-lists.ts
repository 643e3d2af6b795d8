import type { Box } from '../../../datasets/geometry.ts';
import type {
  CountList,
  IngestCount,
  LayerVersion,
  Manifest,
  Partition,
  PartitionList,
  PartitionOutline,
  PartitionSummary,
} from '../../../datasets/release.ts';
import { partsOf } from '../part.ts';
import { textOf } from './line.ts';
import { GLOBE, outlineOf } from './outline.ts';

let reads = 0;

/** How many lists this thread has read. */
export const listsRead = (): number => reads;

/** The partitions of a list, read anew each time: other objects than those of its layer. @throws Fault as textOf. */
export const partitionsOf = (list: PartitionList): readonly Partition[] => JSON.parse(textOf(list)) as Partition[];

/** Some partitions of a layer that are read together: when one is first asked for, and then kept. */
export class LayerList {
  /** What the manifest says of it; null of partitions that stand in the manifest itself. */
  readonly head: PartitionList | null;
  #partitions: readonly Partition[] | null;
  #outline: PartitionOutline | null;

  constructor(from: PartitionList | readonly Partition[]) {
    this.head = 'shard' in from ? from : null;
    this.#partitions = 'shard' in from ? null : from;
    this.#outline = this.head?.outline ?? null;
  }

  /** @throws Fault as textOf. */
  get partitions(): readonly Partition[] {
    if (!this.#partitions) {
      this.#partitions = partitionsOf(this.head!);
      reads++;
    }
    return this.#partitions;
  }

  /** Those that memory holds, which are all that anybody has of it; null while nobody asked. */
  get inMemory(): readonly Partition[] | null {
    return this.#partitions;
  }

  /** @throws Fault as textOf, where the manifest does not say it. */
  get outline(): PartitionOutline {
    this.#outline ??= outlineOf(this.partitions);
    return this.#outline;
  }
}

const ofLayer = new WeakMap<LayerVersion, LayerLists>();

/** All partitions of a layer, in lists that are found by where they reach. */
export class LayerLists {
  readonly all: readonly LayerList[];
  /** Four numbers a list: a nation has some fifty, which are gone through sooner than a tree. */
  #reaches: Float64Array | null = null;

  constructor(all: readonly LayerList[]) {
    this.all = all;
  }

  static of(layer: LayerVersion): LayerLists {
    let lists = ofLayer.get(layer);
    if (!lists) {
      lists = new LayerLists([new LayerList(layer.partitions)]);
      ofLayer.set(layer, lists);
    }
    return lists;
  }

  /**
   * Places, among all, of the lists that have partitions about some lng,lat boxes, and of those that may have some anywhere.
   * @throws Fault as textOf, where the manifest does not say how far a list reaches.
   */
  placesAbout(boxes: readonly Box[]): number[] {
    this.#reaches ??= Float64Array.from(this.all.flatMap(({ outline }) => outline.reach ?? GLOBE));
    const reaches = this.#reaches;
    const places: number[] = [];
    for (const [west, south, east, north] of boxes)
      for (let at = 0; at < reaches.length; at += 4)
        if (reaches[at]! <= east && reaches[at + 2]! >= west && reaches[at + 1]! <= north && reaches[at + 3]! >= south)
          places.push(at / 4);
    return boxes.length > 1 ? [...new Set(places)].sort((a, b) => a - b) : places;
  }

  /** Those lists. @throws Fault as placesAbout. */
  about(boxes: readonly Box[]): readonly LayerList[] {
    return this.placesAbout(boxes).map(place => this.all[place]!);
  }

  /** The lists of the partitions whose keys begin with the name of a shard. */
  ofShard(name: string): readonly LayerList[] {
    return this.all.filter(({ head }) => head === null || head.shard === name);
  }
}

/** A layer whose partitions stand in lists, in their order. */
export function listedLayer(version: string, columns: readonly string[], own: readonly PartitionList[]): LayerVersion {
  const lists = new LayerLists(own.map(list => new LayerList(list)));
  let partitions: readonly Partition[] | null = null;
  const layer: LayerVersion = {
    version,
    columns,
    get partitions() {
      partitions ??= lists.all.flatMap(list => list.partitions);
      return partitions;
    },
  };
  ofLayer.set(layer, lists);
  return layer;
}

/** What a manifest says of the lists of a layer; null of one whose partitions stand in the manifest itself. */
export function listsOf(layer: LayerVersion): readonly PartitionList[] | null {
  const heads = ofLayer.get(layer)?.all.map(({ head }) => head) ?? [null];
  return heads.includes(null) ? null : (heads as PartitionList[]);
}

/**
 * Every partition of a layer, list by list; those read for it are not kept: whoever goes through a whole release asks so.
 * @param unread told of a list that cannot be read, which is then left out; by default its Fault is thrown.
 */
export function* eachPartition(
  layer: LayerVersion,
  unread = (error: unknown): void => {
    throw error;
  },
): Generator<Partition> {
  for (const { inMemory, head } of LayerLists.of(layer).all) {
    let partitions: readonly Partition[] = [];
    try {
      partitions = inMemory ?? partitionsOf(head!);
    } catch (error) {
      unread(error);
    }
    yield* partitions;
  }
}

export function summaryOf(partitions: readonly Partition[]): PartitionSummary {
  const parts = partitions.flatMap(partsOf);
  return {
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    vintages: [...new Set(parts.map(({ provenance }) => provenance.vintage))].sort(),
    sources: [...new Set(parts.map(({ provenance }) => provenance.source))].sort(),
    retrievedAt: parts.reduce((last, { provenance: { retrievedAt } }) => (retrievedAt > last ? retrievedAt : last), ''),
  };
}

/** What is said of all partitions of a layer; no shard is read. */
export function summaryOfLayer(layer: LayerVersion): PartitionSummary {
  const own = listsOf(layer);
  if (!own) return summaryOf(layer.partitions);
  return {
    rows: own.reduce((sum, { rows }) => sum + rows, 0),
    vintages: [...new Set(own.flatMap(({ vintages }) => vintages))].sort(),
    sources: [...new Set(own.flatMap(({ sources }) => sources))].sort(),
    retrievedAt: own.reduce((last, { retrievedAt }) => (retrievedAt > last ? retrievedAt : last), ''),
  };
}

/** The counts of a list. @throws Fault as textOf. */
export const countsOf = (list: CountList): readonly IngestCount[] => JSON.parse(textOf(list)) as IngestCount[];

/** The counts of a place's last ingest; of a release with shards no others are read. @throws Fault as textOf. */
export const countsOfPlace = (manifest: Manifest, name: string): readonly IngestCount[] =>
  manifest.counts
    ? manifest.counts.filter(({ place }) => place === name).flatMap(countsOf)
    : manifest.ingests.filter(({ place }) => place === name);
