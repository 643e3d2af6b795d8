import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../datasets/release.ts';
import { manifestText } from '../../query/release/manifest.ts';
import { fsync } from './store.ts';

/** Writes a file so that readers see the old content or the new one, whole, and a power cut leaves one of them. */
async function replace(path: string, text: string): Promise<void> {
  const partial = `${path}.${process.pid}.partial`;
  const handle = await open(partial, 'w');
  try {
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/**
 * Publishes a release: its manifest first, then `current` by one rename. Until that rename the last release serves.
 * A manifest that is there already is not rewritten, because releases never change. Only under the lock.
 * @param releases folder of the manifests; every file the manifest names is already in the store.
 */
export async function publish(releases: string, manifest: Manifest): Promise<void> {
  const path = join(releases, `${manifest.id}.json`);
  if (!existsSync(path)) await replace(path, manifestText(manifest));
  await fsync(releases);
  await replace(join(releases, 'current'), `${manifest.id}\n`);
  await fsync(releases);
}
