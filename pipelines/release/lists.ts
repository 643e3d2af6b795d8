import { createHash } from 'node:crypto';
import { memo } from '../../datasets/memo.ts';
import type {
  CalculationList,
  CountList,
  IngestCount,
  LayerVersion,
  Manifest,
  Part,
  Partition,
  PartitionList,
} from '../../datasets/release.ts';
import type { Calculations } from '../../query/release/lists/calculation-lists.ts';
import { eachPartition, listedLayer, listsOf, summaryOf } from '../../query/release/lists/layer-lists.ts';
import { unstored } from '../../query/release/lists/line.ts';
import { outlineOf } from '../../query/release/lists/outline.ts';
import { withChanges } from '../../query/release/lists/sharded-manifest.ts';

/** Name of the shard of what is of no state. */
export const US = 'US';

/** The shard of a partition: the first part of its key. */
export const shardOf = ({ key }: Pick<Partition, 'key'>): string => key.split('/')[0]!;

/** Returns JSON with sorted keys, so that equal contents have equal hashes. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, v) =>
    v !== null && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );
}

/** Returns a partition without the times of its retrieval, so that two ingests of the same files are equal. */
function substance(partition: Part & { readonly parts?: readonly Part[] }): unknown {
  const { retrievedAt: _, ...provenance } = partition.provenance;
  const { parts } = partition;
  return { ...partition, provenance, ...(parts ? { parts: parts.map(substance) } : {}) };
}

/** Returns what a partition is as text, without the times of its retrieval; made once, because it is asked for several times. */
export const substanceOf = memo((partition: Partition) => canonical(substance(partition)));

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Returns a list of partitions of one shard, which holds it not yet; null of none. */
export function listOf(shard: string, partitions: readonly Partition[]): PartitionList | null {
  if (!partitions.length) return null;
  const order = new Map(partitions.map(p => [p, `${p.key}\0${p.place}\0${substanceOf(p)}`]));
  const sorted = partitions.toSorted((a, b) => (order.get(a)! < order.get(b)! ? -1 : 1));
  const version = hashOf(`[${sorted.map(substanceOf).join()}]`);
  return unstored(shard, JSON.stringify(sorted), { version, ...summaryOf(sorted), outline: outlineOf(sorted) });
}

/** Returns the layer of some lists, which are sorted by their shards. */
export function layerOf(columns: readonly string[], lists: readonly PartitionList[]): LayerVersion {
  return listedLayer(hashOf(canonical([columns, lists.map(({ shard, version }) => [shard, version])])), columns, lists);
}

/** Returns the lists of a layer; those of one that has its partitions in the manifest are made now. */
export function listsFrom(layer: LayerVersion): readonly PartitionList[] {
  return (
    listsOf(layer) ??
    [...Map.groupBy(layer.partitions, shardOf)].map(([shard, partitions]) => listOf(shard, partitions)!)
  );
}

/** Returns the counts of each place as a list. */
export const countListsOf = (counts: readonly IngestCount[], shard = US): CountList[] =>
  [...Map.groupBy(counts, ({ place }) => place)].map(([place, own]) => unstored(shard, canonical(own), { place }));

/** The state of each file of parcels of a release, by its SHA-256. */
function statesOf({ datasets }: Manifest): Map<string, string> {
  const states = new Map<string, string>();
  const parcels = datasets.parcel_store?.main;
  for (const partition of parcels ? eachPartition(parcels) : [])
    for (const { role, sha256 } of partition.files) if (role === 'features') states.set(sha256, shardOf(partition));
  return states;
}

/**
 * Returns a manifest with other calculations. Those that did not change stay in their shards; no shard holds the others yet
 * (withShards). Calculations have shards beside those of lists, which an ingest writes before there are any.
 */
export function withCalculations(manifest: Manifest, overlays: Calculations): Manifest {
  if (manifest.format === 1) return withChanges(manifest, { overlays });
  const before = new Map(manifest.calculations?.map(list => [list.parcels, list]));
  const states = statesOf(manifest);
  const calculations = Object.entries(overlays).map(([parcels, own]): CalculationList => {
    const list = unstored(`${states.get(parcels) ?? US} calculations`, JSON.stringify(own), { parcels });
    const held = before.get(parcels);
    return held?.sha256 === list.sha256 && held.shard === list.shard ? held : list;
  });
  return withChanges(manifest, { overlays, calculations });
}
