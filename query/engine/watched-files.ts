import type { ReleaseFile } from '../../datasets/release.ts';
import { eachCalculation } from '../release/lists/calculation-lists.ts';
import { eachPartition, listsOf } from '../release/lists/layer-lists.ts';
import { openReleaseById } from '../release/open-release.ts';
import { lacksFile } from '../release/pack/pack.ts';

/** A file of a release to keep an eye on. A nation has 300,000: what can be told from the file's path is not kept beside it. */
export class Watched {
  /** Absolute. */
  readonly path: string;
  readonly role: ReleaseFile['role'];
  readonly bytes: number;
  /** Which layers need it. */
  layers: readonly string[];

  constructor(path: string, { role, bytes }: ReleaseFile, layers: readonly string[]) {
    this.path = path;
    this.role = role;
    this.bytes = bytes;
    this.layers = layers;
  }

  get sha256(): string {
    return /([0-9a-f]{64})\.[\w.]+$/.exec(this.path)?.[1] ?? '';
  }

  /** Short: paths of the server stay inside. */
  get name(): string {
    return `${this.role} file ${this.sha256.slice(0, 12)}`;
  }
}

/** The files of a release that answers rest on, small ones first; of a pack those that it has. @throws ReleaseError as openReleaseById. */
export function watchedFiles(home: string, id: string): Watched[] {
  const release = openReleaseById(home, id);
  const { datasets, calculations = [], tiles = {}, shards = {} } = release.manifest;
  const files = new Map<string, Watched>();
  const watch = (file: ReleaseFile, layers: readonly string[]) => {
    if (file.role === 'rejects' || lacksFile(release, file)) return;
    const path = release.pathOf(file);
    const cached = files.get(path);
    if (!cached) files.set(path, new Watched(path, file, layers));
    else if (!cached.layers.includes(layers[0]!)) cached.layers = [...cached.layers, ...layers];
  };
  for (const [dataset, layers] of Object.entries(datasets))
    for (const [name, layer] of Object.entries(layers)) {
      const named = [`${dataset}:${name}`];
      for (const { shard } of listsOf(layer) ?? []) watch(shards[shard]!.file, named);
      // A damaged shard is told by itself.
      for (const { files: own } of eachPartition(layer, () => {})) for (const file of own) watch(file, named);
    }
  for (const { shard } of calculations) watch(shards[shard]!.file, ['calculations of parcels']);
  for (const [, own] of eachCalculation(release.manifest, () => {}))
    for (const [name, overlay] of Object.entries(own))
      for (const file of overlay.files) watch(file, [`calculations of ${name}`]);
  for (const [name, { file }] of Object.entries(tiles)) if (file) watch(file, [`map tiles of ${name}`]);
  return [...files.values()].sort((a, b) => a.bytes - b.bytes);
}
