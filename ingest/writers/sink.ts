import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Most files are small, and hundreds of large buffers make the collector run all the time. */
const FIRST_BUFFER_BYTES = 1 << 14;

/** A file written from start to end through one buffer. Synchronous: a bulk writer gains nothing from waiting. */
export class Sink {
  readonly path: string;
  /** Bytes written so far, buffered ones included. */
  position = 0;
  readonly #bufferBytes: number;
  #buffer: Uint8Array;
  #fill = 0;
  #fd: number | null;

  /** Creates the file, or empties what a killed run left there. */
  constructor(path: string, bufferBytes = 1 << 20) {
    this.path = path;
    this.#bufferBytes = bufferBytes;
    this.#buffer = new Uint8Array(Math.min(bufferBytes, FIRST_BUFFER_BYTES));
    this.#fd = openSync(path, 'w');
  }

  write(bytes: Uint8Array): void {
    this.position += bytes.length;
    if (this.#fill + bytes.length > this.#buffer.length) this.#makeRoom();
    if (bytes.length > this.#buffer.length) this.#put(bytes);
    else {
      this.#buffer.set(bytes, this.#fill);
      this.#fill += bytes.length;
    }
  }

  flush(): void {
    this.#put(this.#buffer.subarray(0, this.#fill));
    this.#fill = 0;
  }

  /** Flushes, waits until the disk has it where the file must be durable, closes. */
  commit(durable = true): void {
    this.flush();
    if (durable) fsyncSync(this.#fd!);
    this.close();
  }

  /** Closes without flushing; harmless when already closed. */
  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #makeRoom(): void {
    this.flush();
    if (this.#buffer.length < this.#bufferBytes) this.#buffer = new Uint8Array(this.#bufferBytes);
  }

  #put(bytes: Uint8Array): void {
    if (this.#fd === null) throw new Error(`${this.path} is closed`);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done, bytes.length - done);
  }
}

/** Makes the rename of a file to this path last through a power cut. */
export function syncFolder(path: string): void {
  const fd = openSync(dirname(path), 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
