import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { openWhole } from '../../../query/format/file-hash.ts';
import type { Content } from '../../../query/release/store/download.ts';
import type { ObjectStore } from '../../../query/release/store/object-store.ts';

/**
 * Uploads a file that a store lacks. @returns false where the store has it.
 * @throws Error for a file whose content is not that of its name.
 */
export async function upload(store: ObjectStore, from: string, content: Content): Promise<boolean> {
  if ((await store.size(content.path)) === content.bytes) return false;
  await send(store, from, content);
  return true;
}

/** Uploads a file, also where the store has one of its name, which may be damaged. @throws as upload. */
export async function send(store: ObjectStore, from: string, { path, sha256, bytes }: Content): Promise<void> {
  const sum = createHash('sha256');
  const md5s: string[] = [];
  let md5 = createHash('md5');
  let room = store.partBytes;
  await pipeline(await openWhole(from), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      sum.update(chunk);
      for (let at = 0; at < chunk.length; ) {
        if (room === 0) {
          md5s.push(md5.digest('base64'));
          [md5, room] = [createHash('md5'), store.partBytes];
        }
        const part = chunk.subarray(at, at + room);
        md5.update(part);
        at += part.length;
        room -= part.length;
      }
    }
  });
  if (sum.digest('hex') !== sha256)
    throw new Error(`${from} is damaged: its content is not what its name says; run plat release verify`);
  await store.put(path, from, bytes, [...md5s, md5.digest('base64')]);
}
