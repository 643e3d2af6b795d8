import type { LayerVersion, Manifest, PartitionList } from '../../../datasets/release.ts';
import { calculationsIn } from './calculation-lists.ts';
import { countsOf, listedLayer, listsOf } from './layer-lists.ts';
import { storedIn } from './line.ts';

/** A manifest with some of its keys changed; undefined leaves one out. What was not read so far still is not. */
export function withChanges(
  manifest: Manifest,
  changes: { [K in keyof Manifest]?: Manifest[K] | undefined },
): Manifest {
  const all = { ...Object.getOwnPropertyDescriptors(manifest), ...Object.getOwnPropertyDescriptors(changes) };
  const kept = Object.entries(all).filter(([, { get, value }]) => get || value !== undefined);
  return Object.defineProperties({}, Object.fromEntries(kept)) as Manifest;
}

/** A layer as the head of a manifest has it: with its lists instead of its partitions. */
interface HeadLayer extends Pick<LayerVersion, 'version' | 'columns'> {
  readonly lists: readonly PartitionList[];
}

/** The datasets of a manifest with something else in place of each layer. */
export const mapLayers = <T>(
  datasets: Manifest['datasets'],
  of: (layer: LayerVersion) => T,
): Record<string, Record<string, T>> =>
  Object.fromEntries(
    Object.entries(datasets).map(([dataset, layers]) => [
      dataset,
      Object.fromEntries(Object.entries(layers).map(([name, layer]) => [name, of(layer)])),
    ]),
  );

/** The head of a manifest, which its file has: all but the lines of its shards. */
export function headOf(manifest: Manifest): object {
  if (manifest.format === 1) return manifest;
  const headLayer = (layer: LayerVersion): LayerVersion | HeadLayer => {
    const lists = listsOf(layer);
    return lists ? { version: layer.version, columns: layer.columns, lists } : layer;
  };
  const datasets = mapLayers(manifest.datasets, headLayer);
  const inShards = { ingests: undefined, ...(manifest.calculations && { overlays: undefined }) };
  return withChanges(manifest, { ...inShards, datasets: datasets as never });
}

/** A manifest without shards: all that they hold stands in its text. @throws Fault when a shard is missing or damaged. */
export const inlined = (manifest: Manifest): Manifest =>
  withChanges(manifest, { format: 1, shards: undefined, counts: undefined, calculations: undefined });

/**
 * The manifest of a head, whose partitions, counts and calculations are read from their shards when they are first asked for.
 * @param releases folder of the manifests.
 * @throws Error when a line has no shard.
 */
export function openHead(head: Manifest, releases: string): Manifest {
  if (head.format === 1) return head;
  const { shards = {}, counts = [], calculations } = head;
  const find = (line: { readonly shard: string }) => {
    const shard = Object.hasOwn(shards, line.shard) ? shards[line.shard] : undefined;
    if (!shard) throw new Error(`it names no shard ${JSON.stringify(line.shard)}`);
    return shard.file;
  };
  const openLayer = (layer: LayerVersion) => {
    const { version, columns, lists } = layer as Partial<HeadLayer> as HeadLayer;
    if (!lists) return layer;
    for (const list of lists) storedIn(releases, find(list), list);
    return listedLayer(version, columns, lists);
  };
  for (const line of [...counts, ...(calculations ?? [])]) storedIn(releases, find(line), line);
  let ingests: Manifest['ingests'] | undefined;
  return withChanges(head, {
    datasets: mapLayers(head.datasets, openLayer),
    ...(calculations && { overlays: calculationsIn(calculations) }),
    get ingests() {
      ingests ??= counts.flatMap(countsOf);
      return ingests;
    },
  });
}
