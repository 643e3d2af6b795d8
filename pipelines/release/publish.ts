import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../datasets/release.ts';
import { manifestText } from '../../query/release/manifest.ts';
import { PUBLISHED, publishedIn, publishedText } from '../../query/release/published.ts';
import { readManifest, releaseIds } from './manifest.ts';
import { fsync } from './store.ts';

/**
 * Writes a file so that readers see the old content or the new one, whole, and a power cut leaves one of them.
 * @throws Error of the file system; the old content stays.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
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
  // Written before the manifest: one that the list lacks was never published, however this ends.
  const published = publishedIn(releases) ?? (await firstList(releases));
  if (!existsSync(path)) await writeWhole(path, manifestText(manifest));
  await fsync(releases);
  await writeWhole(join(releases, 'current'), `${manifest.id}\n`);
  published.delete(manifest.id);
  published.set(manifest.id, new Date().toISOString());
  await replacePublished(releases, published);
}

/** Replaces the list of what was published. Only under the lock. */
export async function replacePublished(releases: string, published: ReadonlyMap<string, string>): Promise<void> {
  await writeWhole(join(releases, PUBLISHED), publishedText(published));
  await fsync(releases);
}

/** The list of a home that has none yet: every release there is. */
async function firstList(releases: string): Promise<Map<string, string>> {
  const published = new Map(releaseIds(releases).map(id => [id, readManifest(releases, id).createdAt]));
  await replacePublished(releases, published);
  return published;
}
