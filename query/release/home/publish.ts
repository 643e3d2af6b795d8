import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../../datasets/release.ts';
import { manifestText } from '../manifest.ts';
import { PUBLISHED, publishedIn, publishedText } from '../published.ts';
import { readManifest, releaseIds } from './releases.ts';
import { fsync } from './store.ts';

/**
 * Writes a file so that readers see either the complete old or the complete new content, also after a power cut.
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
 * Publishes a release: it writes the manifest, then renames `current` once. Until that rename the last release is current. An
 * existing manifest is not written again, because releases never change. Call it only under the lock.
 * @param releases folder of the manifests; every file that the manifest names must be in the store.
 */
export async function publish(releases: string, manifest: Manifest): Promise<void> {
  const path = join(releases, `${manifest.id}.json`);
  // Write the list before the manifest: a manifest that is not on the list was never published.
  const published = publishedIn(releases) ?? (await firstList(releases));
  if (!existsSync(path)) await writeWhole(path, manifestText(manifest));
  await fsync(releases);
  await writeWhole(join(releases, 'current'), `${manifest.id}\n`);
  published.delete(manifest.id);
  published.set(manifest.id, new Date().toISOString());
  await replacePublished(releases, published);
}

/** Replaces the list of published releases. Call it only under the lock. */
export async function replacePublished(releases: string, published: ReadonlyMap<string, string>): Promise<void> {
  await writeWhole(join(releases, PUBLISHED), publishedText(published));
  await fsync(releases);
}

/** Returns the first list of a home that has none: all its releases. */
async function firstList(releases: string): Promise<Map<string, string>> {
  const published = new Map(releaseIds(releases).map(id => [id, readManifest(releases, id).createdAt]));
  await replacePublished(releases, published);
  return published;
}
