import { linkSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { download } from '../../query/release/store/download.ts';
import type { ObjectStore } from '../../query/release/store/object-store.ts';
import { workKey } from '../tasks/task.ts';
import type { InputFile } from './layer-task.ts';

/** Bytes of files that no task reads now: files of a nation or a state are read by the jobs of many counties. */
const MOST_BYTES = 20e9;

const SHA256 = /^[\da-f]{64}$/;

/** Files that tasks of a worker read: each comes once, however many tasks read it. */
export class Inputs {
  readonly #folder: string;
  readonly #store: ObjectStore;
  readonly #coming = new Map<string, Promise<void>>();

  constructor(folder: string, store: ObjectStore) {
    this.#folder = folder;
    this.#store = store;
    mkdirSync(folder, { recursive: true });
  }

  /** Puts a file into the folder of a task. @throws StoreProblem or Error as `download`; Error for one that would lie elsewhere. */
  async put({ path, sha256, bytes }: InputFile, folder: string, signal: AbortSignal): Promise<void> {
    const target = join(folder, path);
    // Whoever writes to the queue decides what is published, and nothing beyond that.
    if (!target.startsWith(folder + sep) || !SHA256.test(sha256))
      throw new Error(`a task names ${path} as a file of its own`);
    mkdirSync(dirname(target), { recursive: true });
    if (bytes === 0) return writeFileSync(target, '');
    const own = join(this.#folder, sha256);
    while (statSync(own, { throwIfNoEntry: false })?.size !== bytes) {
      const coming =
        this.#coming.get(sha256) ??
        download(this.#store, { path: workKey(sha256), sha256, bytes }, own, signal).finally(() =>
          this.#coming.delete(sha256),
        );
      this.#coming.set(sha256, coming);
      // The task that began it may be stopped: another one begins it again.
      await coming.catch(error => {
        signal.throwIfAborted();
        throw error;
      });
    }
    linkSync(own, target);
    const now = new Date();
    utimesSync(own, now, now);
  }

  /** Removes what was read longest ago, where there is too much that no task reads. */
  tidy(): void {
    const idle = readdirSync(this.#folder)
      .filter(name => SHA256.test(name))
      .map(name => ({ path: join(this.#folder, name), found: statSync(join(this.#folder, name)) }))
      .filter(({ found }) => found.nlink === 1)
      .sort((a, b) => b.found.mtimeMs - a.found.mtimeMs);
    let bytes = 0;
    for (const { path, found } of idle) {
      bytes += found.size;
      if (bytes > MOST_BYTES) rmSync(path);
    }
  }
}
