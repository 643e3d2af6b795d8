import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** The first buffer is small: most files are small, and hundreds of large buffers keep the garbage collector busy. */
const FIRST_BUFFER_BYTES = 1 << 14;

/** Writes a file from start to end through one buffer. It is synchronous, because a bulk writer gains nothing from waiting. */
export class Sink {
  readonly path: string;
  /** Bytes written so far, buffered ones included. */
  position = 0;
  readonly #bufferBytes: number;
  #buffer: Uint8Array;
  #fill = 0;
  #fd: number | null;

  /** Creates the file, or empties one that a killed run left. */
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

  /** Flushes and closes the file. If it must be durable, waits for the disk first. */
  commit(durable = true): void {
    this.flush();
    if (durable) fsyncSync(this.#fd!);
    this.close();
  }

  /** Closes without flushing. A second call does nothing. */
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

/** Makes a rename to this path durable: it survives a power cut. */
export function syncFolder(path: string): void {
  const fd = openSync(dirname(path), 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
