import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
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
  if (manifest.format === 1) return manifest;
  const layers = Object.values(manifest.datasets).flatMap(of => Object.values(of));
  const lists = Map.groupBy(
    layers.flatMap(layer => listsOf(layer) ?? []),
    ({ shard }) => shard,
  );
  const others = Map.groupBy([...(manifest.counts ?? []), ...(manifest.calculations ?? [])], ({ shard }) => shard);
  const shards: Record<string, Shard> = {};
  const stored = new Map<ShardLine, ShardLine>();
  const folder = await store.stage();
  try {
    for (const name of [...new Set([...lists.keys(), ...others.keys()])].sort()) {
      const own = lists.get(name) ?? [];
      const lines = [...own, ...(others.get(name) ?? [])];
      const held = manifest.shards?.[name];
      if (held?.file.rows === lines.length && lines.every(({ at }) => at !== null)) {
        shards[name] = held;
        continue;
      }
      const path = join(folder, `${name}.ndjson.gz`);
      const members = lines.map(line => gzipSync(`${textOf(line)}\n`));
      let at = 0;
      for (const [i, line] of lines.entries()) {
        const bytes = members[i]!.length;
        stored.set(line, { ...line, at, bytes });
        at += bytes;
      }
      await writeFile(path, Buffer.concat(members));
      shards[name] = {
        file: await store.adopt({ role: 'shard', path, rows: lines.length }),
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
  const [counts, calculations] = [manifest.counts?.map(inShard), manifest.calculations?.map(inShard)];
  const head = headOf(withChanges(manifest, { format: 3, shards, counts, calculations, datasets }));
  return openHead(head as Manifest, store.releases);
}
