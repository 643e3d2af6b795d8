import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LayerVersion, Manifest, Shard, ShardLine } from '../../../datasets/release.ts';
import { listedLayer, listsOf, partitionsOf } from '../lists/layer-lists.ts';
import { textOf } from '../lists/line.ts';
import { headOf, mapLayers, openHead, withChanges } from '../lists/sharded-manifest.ts';
import type { Store } from './store.ts';

/**
 * Stores the shards that a new manifest needs and nobody has: those with a new line, or with one less. The others stay the files
 * that they are. Call it only under the lock, before the manifest is published.
 * @throws Fault when the lines of a shard that must be written again cannot be read.
 */
export async function withShards(store: Store, manifest: Manifest): Promise<Manifest> {
  const layers = Object.values(manifest.datasets).flatMap(of => Object.values(of));
  const lists = Map.groupBy(
    layers.flatMap(layer => listsOf(layer) ?? []),
    ({ shard }) => shard,
  );
  const counts = Map.groupBy(manifest.counts ?? [], ({ shard }) => shard);
  const shards: Record<string, Shard> = {};
  const stored = new Map<ShardLine, ShardLine>();
  const folder = await store.stage();
  try {
    for (const name of [...new Set([...lists.keys(), ...counts.keys()])].sort()) {
      const own = lists.get(name) ?? [];
      const lines = [...own, ...(counts.get(name) ?? [])];
      const held = manifest.shards?.[name];
      if (held?.file.rows === lines.length && lines.every(({ at }) => at !== null)) {
        shards[name] = held;
        continue;
      }
      const path = join(folder, `${name}.ndjson`);
      let at = 0;
      for (const line of lines) {
        stored.set(line, { ...line, at });
        at += line.bytes + 1;
      }
      await writeFile(path, lines.map(line => `${textOf(line)}\n`).join(''));
      shards[name] = {
        file: await store.adopt({ role: 'lists', path, rows: lines.length }),
        places: [...new Set(own.flatMap(partitionsOf).map(({ place }) => place))].sort(),
      };
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const inShard = <T extends ShardLine>(line: T) => (stored.get(line) ?? line) as T;
  const layerInShards = (layer: LayerVersion) => {
    const of = listsOf(layer);
    return of ? listedLayer(layer.version, layer.columns, of.map(inShard)) : layer;
  };
  const datasets = mapLayers(manifest.datasets, layerInShards);
  const head = headOf(withChanges(manifest, { shards, counts: manifest.counts?.map(inShard), datasets }));
  return openHead(head as Manifest, store.releases);
}
