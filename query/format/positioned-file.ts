import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { DamagedFile } from './damaged-file.ts';
import { noteChange, sameStamp } from './file-stamp.ts';

/**
 * A file of a release that is read by position. Whatever happened to the file, a method answers or throws DamagedFile,
 * whose message names no path. What was read is given out only when the file is still as it was opened.
 */
export class PositionedFile {
  readonly size: number;
  readonly #path: string;
  readonly #stat: Stats;
  #fd: number | null;

  /** @throws DamagedFile when it cannot be opened. */
  constructor(path: string) {
    this.#path = path;
    const fd = this.guard('it cannot be opened', () => openSync(path, 'r'));
    this.#fd = fd;
    this.#stat = this.guard('it cannot be opened', () => fstatSync(fd));
    this.size = this.#stat.size;
  }

  /**
   * @param size of the file as far as it is believed: nothing longer is ever allocated.
   * @returns bytes of their own, not of a shared pool: a record that is kept keeps nothing else.
   * @throws DamagedFile when the file ends before, was changed, or cannot be read; Error when it is closed.
   */
  read(start: number, length: number, size = Infinity): Buffer<ArrayBuffer> {
    if (start + length > size) throw this.damaged(`it ends at byte ${size}; expected at least ${start + length}`);
    const bytes = Buffer.from(new ArrayBuffer(length));
    this.readInto(bytes, start, length);
    return bytes;
  }

  /**
   * As read, into the beginning of memory that is used again: rows are read by the thousand, and memory of their own
   * would have to be collected.
   */
  readInto(bytes: Uint8Array, start: number, length: number): void {
    const fd = this.#fd;
    if (fd === null) throw new Error('The file is closed');
    for (let done = 0; done < length; ) {
      let read: number;
      try {
        read = readSync(fd, bytes, done, length - done, start + done);
      } catch (error) {
        throw this.failed('it cannot be read', error);
      }
      if (read === 0) throw this.damaged(`it ends before byte ${start + length}`);
      done += read;
    }
    const stat = this.guard('it cannot be read', () => fstatSync(fd));
    if (sameStamp(stat, this.#stat)) return;
    noteChange();
    throw this.damaged('it was changed while it was open');
  }

  /** Runs what may fail on the file's content. @throws DamagedFile saying what failed and why. */
  guard<T>(what: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.failed(what, error);
    }
  }

  /** What is thrown for an error of reading the file's content. */
  failed(what: string, error: unknown): DamagedFile {
    if (error instanceof DamagedFile) return error;
    // System errors name the whole path in their message: only their code is fit to be shown.
    const { code, message } = error as NodeJS.ErrnoException;
    return this.damaged(`${what} (${code ?? message})`, error);
  }

  damaged(cause: string, error?: unknown): DamagedFile {
    return new DamagedFile(this.#path, cause, { cause: error });
  }

  /** Releases the file; harmless when closed already. */
  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }
}
