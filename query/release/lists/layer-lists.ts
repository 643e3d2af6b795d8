import type {
  CountList,
  IngestCount,
  LayerVersion,
  Manifest,
  Partition,
  PartitionList,
  PartitionSummary,
} from '../../../datasets/release.ts';
import { partsOf } from '../part.ts';
import { textOf } from './line.ts';

const lists = new WeakMap<LayerVersion, readonly PartitionList[]>();
const read = new WeakMap<LayerVersion, readonly Partition[]>();
let reads = 0;

/** How many layers this thread has read from their lists. */
export const layersRead = (): number => reads;

/** A layer whose partitions stand in lists, in their order; they are read when they are first asked for, and then kept. */
export function listedLayer(version: string, columns: readonly string[], own: readonly PartitionList[]): LayerVersion {
  const layer: LayerVersion = {
    version,
    columns,
    get partitions() {
      let partitions = read.get(layer);
      if (!partitions) {
        partitions = own.flatMap(partitionsOf);
        read.set(layer, partitions);
        reads++;
      }
      return partitions;
    },
  };
  lists.set(layer, own);
  return layer;
}

/** The lists of a layer; null of one whose partitions stand in the manifest itself. */
export const listsOf = (layer: LayerVersion): readonly PartitionList[] | null => lists.get(layer) ?? null;

/** The partitions of a list, read anew each time: other objects than those of its layer. @throws Fault as textOf. */
export const partitionsOf = (list: PartitionList): readonly Partition[] => JSON.parse(textOf(list)) as Partition[];

/** The partitions of a layer that memory holds, which are all that anybody has of it; null while nobody asked. */
export const partitionsRead = (layer: LayerVersion): readonly Partition[] | null =>
  lists.has(layer) ? (read.get(layer) ?? null) : layer.partitions;

/**
 * Every partition of a layer, list by list and not kept: whoever goes through a whole release asks so.
 * @param unread told of a list that cannot be read, which is then left out; by default its Fault is thrown.
 */
export function* eachPartition(
  layer: LayerVersion,
  unread = (error: unknown): void => {
    throw error;
  },
): Generator<Partition> {
  const own = lists.get(layer);
  if (!own || read.has(layer)) {
    yield* layer.partitions;
    return;
  }
  for (const list of own) {
    let partitions: readonly Partition[] = [];
    try {
      partitions = partitionsOf(list);
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
  const own = lists.get(layer);
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
