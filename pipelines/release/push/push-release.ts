import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Manifest } from '../../../datasets/release.ts';
import { filesOf } from '../../../query/release/home/store.ts';
import { manifestText } from '../../../query/release/manifest.ts';
import { fences, type ObjectStore } from '../../../query/release/store/object-store.ts';
import { AT_ONCE, sideBySide } from '../../../query/release/store/side-by-side.ts';
import { manifestKey } from '../../../query/release/store/store-entry.ts';
import { claim, type Fence } from './claim.ts';
import { upload } from './upload.ts';

/** What a push did. */
export interface Pushed {
  readonly number: number;
  /** Files that the store lacked, and their bytes. */
  readonly files: number;
  readonly bytes: number;
}

/**
 * Uploads what a store lacks of a release, then its manifest, then makes it the store's last one. Broken off anywhere, it
 * leaves the store's last release as it was, and the next push goes on.
 * @param releases folder of the manifests of the home.
 * @param progress called with how many files are there by now.
 * @param fence as claim.
 * @throws ForeignRelease as claim; Error where the store cannot keep publishers apart, or a file is damaged.
 */
export async function pushRelease(
  store: ObjectStore,
  releases: string,
  manifest: Manifest,
  knows: (release: string) => boolean,
  progress: (done: number) => void = () => {},
  fence: Fence | null = null,
): Promise<Pushed> {
  if (!(await fences(store)))
    throw new Error(
      `${store.name} cannot keep publishers apart: it lets a second write replace an object (If-None-Match)`,
    );
  let files = 0;
  let bytes = 0;
  let seen = 0;
  await sideBySide(filesOf(manifest), AT_ONCE, async file => {
    if (await upload(store, join(releases, file.path), file)) {
      files++;
      bytes += file.bytes;
    }
    progress(++seen);
  });
  const text = Buffer.from(manifestText(manifest));
  const manifestSha256 = createHash('sha256').update(text).digest('hex');
  const key = manifestKey(manifestSha256);
  // `lost` and nothing there: another publisher's write of the same bytes is under way.
  let there: Buffer | null = null;
  while ((await store.create(key, text)) === 'lost' && !there) there = await store.read(key);
  if (there && !there.equals(text)) throw new Error(`${store.name}: ${key} is damaged; remove it and push again`);
  const { number } = await claim(store, { release: manifest.id, manifestSha256 }, knows, fence);
  return { number, files, bytes };
}
