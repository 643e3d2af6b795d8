import { existsSync, readFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm, stat, statfs, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AcquireError } from './fault.ts';
import { replaceFile } from './taken.ts';

/** What is known of a file that did not come whole yet. */
interface Resumable<State> {
  readonly url: string;
  /** What must be the same for the rest to belong to it. */
  readonly stamp: string;
  readonly state: State;
}

/** Room that is left for others. */
const SPARE_BYTES = 256 * 1024 * 1024;

/** A file that is being taken, with a note beside it that says of which version it is a part. */
export class PartFile<State> {
  readonly path: string;
  readonly #note: string;
  readonly #url: string;

  constructor(path: string, url: string) {
    this.path = path;
    this.#note = `${path}.json`;
    this.#url = url;
  }

  /** What an earlier attempt left of the same address; null where nothing can be gone on with. */
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

  /** Begins anew. @param stamp null where the publisher gives no validator: then nothing can be gone on with. */
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

  /** The note goes, the content stays. */
  async done(): Promise<void> {
    await rm(this.#note, { force: true });
  }

  async drop(): Promise<void> {
    await rm(this.path, { force: true });
    await this.done();
  }

  /** @throws AcquireError `disk_full` where so much more does not fit. */
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
