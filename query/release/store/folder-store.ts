import { randomBytes } from 'node:crypto';
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fsync } from '../home/store.ts';
import type { Creation, ObjectStore } from './object-store.ts';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** What a promise gives; null where it rejects because nothing is there. */
async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A folder as object store: a disk that several machines mount, or one that is carried about. */
export class FolderStore implements ObjectStore {
  readonly name: string;
  readonly partBytes = Number.POSITIVE_INFINITY;

  /** @param folder made when something is written. */
  constructor(folder: string) {
    this.name = folder;
  }

  async size(key: string): Promise<number | null> {
    return (await orNull(stat(join(this.name, key))))?.size ?? null;
  }

  read(key: string): Promise<Buffer | null> {
    return orNull(readFile(join(this.name, key)));
  }

  async open(key: string, from: number, signal?: AbortSignal): Promise<Readable | null> {
    const file = await orNull(open(join(this.name, key)));
    return file?.createReadStream({ start: from, highWaterMark: 1 << 18, signal }) ?? null;
  }

  async create(key: string, bytes: Buffer): Promise<Creation> {
    return this.#whole(key, async (partial, path) => {
      await writeFile(partial, bytes);
      await fsync(partial);
      try {
        // Unlike a rename, a link never takes the place of what is there.
        await link(partial, path);
        return 'made';
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return 'lost';
        throw error;
      }
    });
  }

  async put(key: string, from: string): Promise<void> {
    await this.#whole(key, async (partial, path) => {
      await copyFile(from, partial);
      await fsync(partial);
      await rename(partial, path);
    });
  }

  async list(prefix: string, after = ''): Promise<string[]> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    const names = (await orNull(readdir(join(this.name, folder)))) ?? [];
    const keys = names.filter(name => !name.endsWith('.partial')).map(name => `${folder}${name}`);
    return keys.filter(key => key.startsWith(prefix) && key > after).sort();
  }

  async #whole<T>(key: string, write: (partial: string, path: string) => Promise<T>): Promise<T> {
    const path = join(this.name, key);
    const partial = `${path}.${randomBytes(6).toString('hex')}.partial`;
    await mkdir(dirname(path), { recursive: true });
    try {
      const result = await write(partial, path);
      await fsync(dirname(path));
      return result;
    } finally {
      await rm(partial, { force: true });
    }
  }
}
