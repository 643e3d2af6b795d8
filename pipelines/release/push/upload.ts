import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Content } from '../../../query/release/store/download.ts';
import type { ObjectStore } from '../../../query/release/store/object-store.ts';

/** How many files are uploaded or downloaded at once. */
export const AT_ONCE = 8;

/**
 * Uploads a file that a store lacks. @returns false where the store has it.
 * @throws Error for a file whose content is not that of its name.
 */
export async function upload(
  store: ObjectStore,
  from: string,
  { path: key, sha256, bytes }: Content,
): Promise<boolean> {
  if ((await store.size(key)) === bytes) return false;
  const [sum, md5] = [createHash('sha256'), createHash('md5')];
  await pipeline(createReadStream(from, { highWaterMark: 1 << 20 }), async chunks => {
    for await (const chunk of chunks) {
      sum.update(chunk);
      md5.update(chunk);
    }
  });
  if (sum.digest('hex') !== sha256)
    throw new Error(`${from} is damaged: its content is not what its name says; run plat release verify`);
  await store.put(key, from, bytes, md5.digest('base64'));
  return true;
}
