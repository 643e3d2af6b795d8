import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Manifest, ReleaseFile } from '../../../datasets/release.ts';
import { filesOf } from '../../../query/release/home/store.ts';
import { manifestText } from '../../../query/release/manifest.ts';
import { fences, type ObjectStore } from '../../../query/release/store/object-store.ts';
import { manifestKey } from '../../../query/release/store/store-entry.ts';
import { claim, type Fence } from './claim.ts';

/** How many files are uploaded at once. */
const AT_ONCE = 8;

/** @throws Error for a file that is not as its manifest says. */
async function upload(store: ObjectStore, releases: string, file: ReleaseFile): Promise<boolean> {
  if ((await store.size(file.path)) === file.bytes) return false;
  const path = join(releases, file.path);
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), async chunks => {
    for await (const chunk of chunks) {
      sha256.update(chunk);
      md5.update(chunk);
    }
  });
  if (sha256.digest('hex') !== file.sha256)
    throw new Error(`${path} is damaged: its content is not what its name says; run plat release verify`);
  await store.put(file.path, path, file.bytes, md5.digest('base64'));
  return true;
}

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
  const left = filesOf(manifest);
  let files = 0;
  let bytes = 0;
  let seen = 0;
  const work = async () => {
    try {
      for (let file = left.pop(); file; file = left.pop()) {
        if (await upload(store, releases, file)) {
          files++;
          bytes += file.bytes;
        }
        progress(++seen);
      }
    } catch (error) {
      // The others end the file that they are at and take no more.
      left.length = 0;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
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
