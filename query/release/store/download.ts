import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReleaseFile } from '../../../datasets/release.ts';
import { hashFile } from '../../format/file-hash.ts';
import { statOf } from '../../format/file-stamp.ts';
import { fsync } from '../home/store.ts';
import { storageProblem } from '../storage.ts';
import type { ObjectStore } from './object-store.ts';
import { StoreProblem } from './store-problem.ts';

/** How often in a row a download may bring nothing before it is given up. */
const ATTEMPTS = 5;

/** An object of a store that is named by its content; `path` is its key. */
export type Content = Pick<ReleaseFile, 'path' | 'sha256' | 'bytes'>;

/** What downloads share. */
export interface Downloading {
  readonly store: ObjectStore;
  readonly signal: AbortSignal;
  /** Told how many bytes have come; what it waits for holds up those that follow. */
  readonly onBytes?: (bytes: number) => Promise<void>;
}

const sizeOf = (path: string) => statOf(path)?.size ?? 0;

/** Adds to a file what a store has of it from the file's end on. @throws Error where that broke off before the last byte. */
async function add(path: string, file: Content, { store, signal, onBytes }: Downloading): Promise<void> {
  const from = sizeOf(path);
  const body = await store.open(file.path, from, signal);
  if (!body) throw new StoreProblem(`the store lacks ${file.path}; push the release again`);
  let left = file.bytes - from;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      left -= chunk.length;
      if (left < 0) throw new StoreProblem(`${file.path} is damaged in the store: it is longer than its release says`);
      await onBytes?.(chunk.length);
      yield chunk;
    }
  };
  await pipeline(body, counted, createWriteStream(path, { flags: 'a' }), { signal });
  if (left > 0) throw new Error(`${store.name}: ${file.path} broke off ${left} bytes before its end`);
}

/**
 * Downloads a file and goes on where an earlier download of it ended, however that ended. The whole file is hashed at the end, as
 * it stands on the disk; one with other bytes is downloaded once more from its beginning.
 * @param path of the partial file, which stays when the download is given up.
 * @throws StoreProblem where the store lacks the file or has other bytes; Error where it cannot be reached or the disk does not take it.
 */
export async function resumeDownload(path: string, file: Content, downloading: Downloading): Promise<void> {
  const { signal } = downloading;
  let failures = 0;
  let wrong = 0;
  for (;;) {
    const before = sizeOf(path);
    if (before < file.bytes || !statOf(path)) {
      try {
        await add(path, file, downloading);
      } catch (error) {
        if (signal.aborted || error instanceof StoreProblem || storageProblem(error, path)) throw error;
        failures = sizeOf(path) > before ? 0 : failures + 1;
        if (failures === ATTEMPTS) throw error;
        await pause(100 * 2 ** failures * Math.random(), undefined, { signal });
      }
      continue;
    }
    if (before === file.bytes && (await hashFile(path, signal)) === file.sha256) return;
    await rm(path);
    if (++wrong === 2)
      throw new StoreProblem(`${file.path} is damaged in the store: its bytes do not have its checksum, twice`);
  }
}

/**
 * Downloads an object to a path, whole and durable or not at all.
 * @throws StoreProblem or Error as resumeDownload.
 */
export async function download(
  store: ObjectStore,
  object: Content,
  path: string,
  signal = new AbortController().signal,
): Promise<void> {
  const partial = `${path}.partial`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await resumeDownload(partial, object, { store, signal });
    await fsync(partial);
    await rename(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}
