import { existsSync, readFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm, stat, statfs, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AcquireError } from './fault.ts';
import { replaceFile } from './taken.ts';

/** What is known of a file that is not complete yet. */
interface Resumable<State> {
  readonly url: string;
  /** Stamp of the version; the rest belongs to the part only if its stamp is equal. */
  readonly stamp: string;
  readonly state: State;
}

/** Bytes of disk space that stay free. */
const SPARE_BYTES = 256 * 1024 * 1024;

/** A partial download, with a note beside it that names the version. */
export class PartFile<State> {
  readonly path: string;
  readonly #note: string;
  readonly #url: string;

  constructor(path: string, url: string) {
    this.path = path;
    this.#note = `${path}.json`;
    this.#url = url;
  }

  /** Returns what an earlier attempt left of the same address; null if it cannot be resumed. */
  async resumable(): Promise<(Resumable<State> & { readonly bytes: number }) | null> {
    if (!existsSync(this.path)) return null;
    try {
      const note = JSON.parse(readFileSync(this.#note, 'utf8')) as Resumable<State>;
      if (note.url !== this.#url) return null;
      return { ...note, bytes: (await stat(this.path)).size };
    } catch {
      return null;
    }
  }

  /** Begins anew. @param stamp null if the publisher gives no validator; the download then cannot be resumed. */
  async start(stamp: string | null, state: State): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await rm(this.#note, { force: true });
    await (await open(this.path, 'w')).close();
    if (stamp !== null) this.mark(stamp, state);
  }

  mark(stamp: string, state: State): void {
    replaceFile(this.#note, JSON.stringify({ url: this.#url, stamp, state } satisfies Resumable<State>));
  }

  async cut(bytes: number): Promise<void> {
    await truncate(this.path, bytes);
  }

  append(): Promise<FileHandle> {
    return open(this.path, 'a');
  }

  /** Removes the note and keeps the content. */
  async done(): Promise<void> {
    await rm(this.#note, { force: true });
  }

  async drop(): Promise<void> {
    await rm(this.path, { force: true });
    await this.done();
  }

  /** @throws AcquireError `disk_full` when the disk has no room for this many more bytes. */
  async requireRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(this.path));
    const free = bavail * bsize;
    if (free < bytes + SPARE_BYTES)
      throw new AcquireError(
        'disk_full',
        this.#url,
        `${bytes} bytes are to come and ${dirname(this.path)} has ${free} free; make room for ${bytes + SPARE_BYTES - free} more`,
      );
  }
}
