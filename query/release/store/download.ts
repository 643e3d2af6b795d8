import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReleaseFile } from '../../../datasets/release.ts';
import { fsync } from '../home/store.ts';
import type { ObjectStore } from './object-store.ts';

const ATTEMPTS = 5;

/** An object of a store that is named by its content; `path` is its key. */
export type Content = Pick<ReleaseFile, 'path' | 'sha256' | 'bytes'>;

/** Appends what is missing of an object to a file. @throws Error where it breaks off, or the store lacks it. */
async function rest(store: ObjectStore, { path: key }: Content, to: string, from: number, signal?: AbortSignal) {
  const body = await store.open(key, from, signal);
  if (!body) throw new Error(`${store.name}: ${key} is missing`);
  await pipeline(body, createWriteStream(to, { flags: from > 0 ? 'a' : 'w' }), { signal });
}

async function isIt(path: string, sha256: string): Promise<boolean> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex') === sha256;
}

/**
 * Downloads an object to a path, whole and with the right content or not at all. What breaks off is gone on with, wrong bytes
 * are asked for anew.
 * @throws Error of the store, or that the bytes are not those of the hash.
 */
export async function download(store: ObjectStore, object: Content, path: string, signal?: AbortSignal): Promise<void> {
  const partial = `${path}.partial`;
  await mkdir(dirname(path), { recursive: true });
  await rm(partial, { force: true });
  try {
    for (let attempt = 1; ; attempt++)
      try {
        const had = (await stat(partial).catch(() => null))?.size ?? 0;
        if (had < object.bytes || object.bytes === 0) await rest(store, object, partial, had, signal);
        const { size } = await stat(partial);
        if (size < object.bytes) throw new Error(`${store.name}: ${object.path} broke off at ${size} bytes`);
        if (size === object.bytes && (await isIt(partial, object.sha256))) break;
        await rm(partial);
        throw new Error(`${store.name}: ${object.path} does not hold what its name says`);
      } catch (error) {
        signal?.throwIfAborted();
        if (attempt === ATTEMPTS) throw error;
        await pause(100 * 2 ** attempt * Math.random(), undefined, { signal });
      }
    await fsync(partial);
    await rename(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}
