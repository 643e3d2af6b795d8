import type { Partition, ReleaseFile } from '../../datasets/release.ts';
import { Fault } from './fault.ts';
import { type LayerList, LayerLists } from './lists/layer-lists.ts';
import type { Release } from './open-release.ts';
import { partsOf } from './part.ts';
import { type Verified, verify } from './verified-file.ts';

const owners = new WeakMap<LayerList, ReadonlyMap<ReleaseFile, Partition>>();

/** Which partitions of a list its files belong to, once it was read: nobody has a file of one that was not. */
function ownersIn(list: LayerList): ReadonlyMap<ReleaseFile, Partition> | null {
  const cached = owners.get(list);
  const wholes = list.inMemory;
  if (cached || !wholes) return cached ?? null;
  // What parts share is of all of them together: the whole comes last.
  const partitions = [...wholes.flatMap(partsOf), ...wholes];
  const ofFiles = new Map(partitions.flatMap(partition => partition.files.map(of => [of, partition] as const)));
  owners.set(list, ofFiles);
  return ofFiles;
}

/** The partition that a file belongs to; null for one of calculations. Asked only of files that cannot be read. */
function ownerOf({ manifest }: Release, file: ReleaseFile): Partition | null {
  for (const layers of Object.values(manifest.datasets))
    for (const layer of Object.values(layers))
      for (const list of LayerLists.of(layer).all) {
        const owner = ownersIn(list)?.get(file);
        if (owner) return owner;
      }
  return null;
}

/**
 * As `verify`, with the fault as that of the partition which the file belongs to.
 * @throws Fault of the partition when the file is damaged, or rejects with it.
 */
export function verifyOwned(release: Release, file: ReleaseFile): Verified | Promise<Verified> {
  try {
    const at = verify(release, file);
    if (!('then' in at)) return at;
    return at.catch(error => {
      throw Fault.of(error, ownerOf(release, file));
    });
  } catch (error) {
    throw Fault.of(error, ownerOf(release, file));
  }
}
