import type { Partition, ReleaseFile } from '../../datasets/release.ts';
import { Fault } from './fault.ts';
import type { Release } from './open-release.ts';
import { partsOf } from './part.ts';
import { type Verified, verify } from './verified-file.ts';

const owners = new WeakMap<Release, ReadonlyMap<ReleaseFile, Partition>>();

/** The partition that a file belongs to; null for one of calculations. Asked only of files that cannot be read. */
function ownerOf(release: Release, file: ReleaseFile): Partition | null {
  let ofFiles = owners.get(release);
  if (!ofFiles) {
    const layers = Object.values(release.manifest.datasets).flatMap(ofDataset => Object.values(ofDataset));
    const wholes = layers.flatMap(layer => layer.partitions);
    // What parts share is of all of them together: the whole comes last.
    const partitions = [...wholes.flatMap(partsOf), ...wholes];
    ofFiles = new Map(partitions.flatMap(partition => partition.files.map(of => [of, partition] as const)));
    owners.set(release, ofFiles);
  }
  return ofFiles.get(file) ?? null;
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
