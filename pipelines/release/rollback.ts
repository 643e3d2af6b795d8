import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ReleaseFile } from '../../datasets/release.ts';
import { publish } from '../../query/release/home/publish.ts';
import { currentId, readManifest, releaseIds } from '../../query/release/home/releases.ts';
import { filesOf, shardFilesOf } from '../../query/release/home/store.ts';
import { ReleaseError } from '../../query/release/manifest.ts';

/**
 * Makes a release current again. Call it only under the lock.
 * @param id of the release; by default the one before the current release.
 * @throws ReleaseError when there is no such release, or one of its files is missing or of another size.
 */
export async function rollBack(releases: string, id: string | undefined): Promise<{ from: string | null; to: string }> {
  const from = currentId(releases);
  const ids = releaseIds(releases);
  const to = id ?? (from === null ? null : readManifest(releases, from).previous);
  if (to === null)
    throw new ReleaseError(
      `${from === null ? 'No release is current' : `${from} is the first release`}: name the one that shall be current; \`plat release list\` shows those there are`,
    );
  const manifest = readManifest(releases, to);
  if (!ids.includes(to)) throw new ReleaseError(`${to} was never published: an ingest that ended before left it`);
  const requireWhole = ({ path, bytes }: ReleaseFile) => {
    const size = statSync(join(releases, path), { throwIfNoEntry: false })?.size;
    if (size !== bytes)
      throw new ReleaseError(
        `${to} cannot be current: ${path} ${size === undefined ? 'is missing' : `holds ${size} bytes, expected ${bytes}`}; restore it from a backup`,
      );
  };
  shardFilesOf(manifest).forEach(requireWhole);
  filesOf(manifest).forEach(requireWhole);
  if (to !== from) await publish(releases, manifest);
  return { from, to };
}
